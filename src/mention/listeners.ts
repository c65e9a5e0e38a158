// Mentions and direct messages: people write the same words as in the commands, and the bot does the same.
import { commandWords } from '../alert/words.ts'
import { alertCommand } from '../commands/alert.ts'
import { grantCommand } from '../commands/grant.ts'
import type { House } from '../house.ts'
import { doOnce } from '../slack/guard/once.ts'
import type { CommandRequest } from '../slack/guard/requests.ts'
import { type Message, say, sayMarked } from '../slack/outbound/message.ts'
import { answering, type Reading, type Said } from '../slack/routes.ts'
import { bare, readWords } from '../slack/text/typed.ts'
import { parseMention } from './input.ts'

const dayMs = 24 * 60 * 60_000

/** What somebody meant who wrote to the bot. */
export function meaningOf(house: House, said: Said): Reading {
  const { canAct } = house.config
  const meant = parseMention(said, canAct)
  switch (meant.kind) {
    case 'alert':
    case 'grant': {
      const { line, kind } = meant
      const reading = kind === 'alert' ? alertCommand(house, line) : grantCommand(house, line)
      // An answer repeats what the command was given.
      return { ...reading, run: (_, request) => reading.run(house, { ...request, text: line }) }
    }
    case 'help':
      return answering('alert', renderHelp(said.isDirect, 'asked', canAct))
    case 'greeting':
      return answering('alert', renderHelp(true, 'greeted', canAct))
    case 'thanks':
      return answering('alert', say(youAreWelcome))
    case 'unknown':
      return { about: 'alert', run: (_, request) => answerUnknown(house, request, isMeantFor(said)) }
    default:
      return meant satisfies never
  }
}

/** True where a word of a command, or a link, stands in it: whoever wrote that wants something, and waits for an answer. */
function isMeantFor({ text }: Said): boolean {
  return readWords(text).some(
    (word) => commandWords.has(bare(word.text).toLowerCase()) || /^https?:/i.test(word.text),
  )
}

async function answerUnknown(
  house: House,
  { asker, place, answer }: CommandRequest,
  isMeant: boolean,
): Promise<void> {
  const { canAct } = house.config
  if (place.isDirect || isMeant) return answer(renderHelp(place.isDirect, 'unknown', canAct))
  // In a channel, whoever goes on talking near the bot is not told again and again.
  const key = `help ${[place.channelId, place.threadTs, place.userId].join(' ')}`
  const { workspaceId } = asker
  await doOnce(house, { workspaceId, key, withinMs: dayMs }, () =>
    answer(renderHelp(false, 'unknown', canAct)),
  )
}

/** To whoever thanks the bot. */
const youAreWelcome = 'You’re welcome.'

const beginnings = {
  asked: '',
  unknown: 'I didn’t understand that. Here’s what I know:',
  greeted: 'Hello. Send me an alert’s key or its link, and I’ll show it here. You can also type:',
} as const

/**
 * To whoever writes to the bot.
 * @param isDirect - In the direct message with the bot nobody has to mention it.
 * @param canAct - Alerts can be changed as well.
 */
function renderHelp(isDirect: boolean, why: keyof typeof beginnings, canAct: boolean): Message {
  const bot = isDirect ? '' : '@Bellhop '
  const lines = [
    beginnings[why],
    `\`${bot}alert <key or link>\` shows an alert and its history.`,
    ...(isDirect && why !== 'greeted' ? ['A key or a link alone does the same.'] : []),
    ...(canAct
      ? [
          `\`${bot}assign <key> me\`, \`${bot}comment <key> "text"\` and \`${bot}close <key>\` change an alert.`,
        ]
      : []),
    `\`${bot}grant <container> <email> <flags>\` gives somebody access to a container.`,
    `\`${bot}connect\` · \`${bot}watches\` · \`${bot}doctor\``,
    `For everything, type \`${bot}alert help\` or \`${bot}grant help\`.`,
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.filter((line) => line !== '').join('\n'))
}
