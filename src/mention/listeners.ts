// Mentions and direct messages: people write the same words as in the commands, and the bot does the same.
import { alertCommand } from '../commands/alert.ts'
import { grantCommand } from '../commands/grant.ts'
import type { House } from '../house.ts'
import { type Message, sayMarked } from '../slack/outbound/message.ts'
import { answering, type Reading, type Said } from '../slack/routes.ts'
import { parseMention } from './input.ts'

/** What somebody meant who wrote to the bot. */
export function meaningOf(house: House, said: Said): Reading {
  const { canAct } = house.config
  const meant = parseMention(said, canAct)
  if (!('line' in meant)) return answering('alert', renderHelp(meant.kind, said.isDirect, canAct))
  return meant.kind === 'alert' ? alertCommand(house, meant.line) : grantCommand(house, meant.line)
}

/**
 * To whoever writes to the bot.
 * @param isDirect - In the direct message with the bot nobody has to mention it.
 * @param canAct - Alerts can be changed as well.
 */
function renderHelp(why: 'help' | 'unknown', isDirect: boolean, canAct: boolean): Message {
  const bot = isDirect ? '' : '@Bellhop '
  const lines = [
    ...(why === 'unknown' ? ['I didn’t understand that. Here’s what I know:'] : []),
    `\`${bot}alert <key or link>\` shows an alert and its history.`,
    ...(isDirect ? ['A key or a link alone does the same.'] : []),
    ...(canAct
      ? [
          `\`${bot}assign <key> me\`, \`${bot}comment <key> "text"\` and \`${bot}close <key>\` change an alert.`,
        ]
      : []),
    `\`${bot}grant <container> <email> <flags>\` gives somebody access to a container.`,
    `\`${bot}connect\` · \`${bot}watches\` · \`${bot}doctor\``,
    `For everything, type \`${bot}alert help\` or \`${bot}grant help\`.`,
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}
