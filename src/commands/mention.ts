// Reads mentions and direct messages: the words of the commands, written to the bot.
import { type Card, cardInThread } from '../alert/cards.ts'
import { isManner, linesOfLinks, wordNear } from '../alert/input.ts'
import { actWords, commandWords, exactWord, keyWords, mannerWords } from '../alert/words.ts'
import { parseGrant } from '../grant/input/line.ts'
import { draftOf, exactLine } from '../grant/input/meant.ts'
import { readTokens } from '../grant/input/pieces.ts'
import type { House } from '../house.ts'
import { watchCard } from '../live/watching.ts'
import { readModeLine } from '../maintenance/input.ts'
import { containerKnown } from '../names/containers.ts'
import { knownTo } from '../names/field.ts'
import { type Message, sayMarked } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { answering, type BotMessage, type LineRoute } from '../slack/routes.ts'
import { toPlainText } from '../slack/text/markup.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'
import { bare, looksLikeToken, readWords, unmarked } from '../slack/text/typed.ts'
import { alertCommand } from './alert.ts'
import { grantCommand } from './grant.ts'

export function mentionRoute(house: House, said: BotMessage): LineRoute {
  const meant = parseMention(said, house.config.hasAllOperations)
  if (!('line' in meant)) return answering('alert', renderMentionHelp(meant.kind, said.isDirect))
  const { kind, line } = meant
  const read = kind === 'alert' ? alertCommand : grantCommand
  if (!said.isInThread) return read(house, line)
  return {
    about: kind,
    async run(house, request) {
      const card = await cardInThread(house, request.asker, request.place)
      if (card === undefined) return read(house, line).run(house, request)
      if (line.trim() === 'watch') return watchCard(house, request, card.id)
      const whole =
        kind === 'alert'
          ? withKey(line, card.ks)
          : await withContainer(house, request.asker, line, card)
      await read(house, whole).run(house, request)
    },
  }
}

/** Adds the container of the thread’s alert if a line of `/grant` names none. */
async function withContainer(
  house: House,
  asker: SlackUser,
  line: string,
  card: Card,
): Promise<string> {
  const id = containerKnown(house, asker, card.ks, card)
  if (id === undefined) return line

  const known = await knownTo(house, asker)
  const draft = draftOf(readTokens(line), house.config, known)
  const asked = parseGrant(exactLine(draft), house.config, known)
  const hasNone = 'prefill' in asked && asked.prefill.containerId === undefined

  return hasNone ? `${line} ${id}` : line
}

const aboutOne = new Set([...keyWords, ...mannerWords])

/**
 * Adds the key of the thread’s alert if the line names no alert: if a word is alone, with a text in quotes or, to assign,
 * with a person. One word without quotes is taken for another alert’s key, never for a text.
 * @param line - Escaped.
 */
function withKey(line: string, ks: string): string {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const command = plainWord(word)
  const [first, second] = readWords(rest)
  const isWhom = first?.isNamed || first?.text.toLowerCase() === 'me'
  const isText =
    first?.isQuoted || (command === 'comment' && second !== undefined && !second.isQuoted)
  const isMode = exactWord(command) === 'maintenance'
  const isOther = isMode
    ? readModeLine(toPlainText(rest)).what === undefined
    : isText && first?.text !== ks
  const isLeftOut = first === undefined || (command === 'assign' ? isWhom : isOther)

  return aboutOne.has(command) && isLeftOut ? `${command} "${escapeText(ks)}" ${rest}` : line
}

function renderMentionHelp(why: 'help' | 'unknown', isDirect: boolean): Message {
  const bot = isDirect ? '' : '@Bellhop '
  const lines = [
    why === 'unknown' && 'I didn’t understand that.',
    'A key or a link alone shows an alert and its history.',
    `\`${bot}grant <container> <email> <flags>\` gives somebody access to a container.`,
    `For everything else, type \`${bot}alert help\` or \`${bot}grant help\`.`,
  ]

  return sayMarked(escapeText(lines.filter(Boolean).join('\n')))
}

/** `line`: the words behind the command, escaped as Slack sends them. */
type MeantCommand =
  | { readonly kind: 'alert' | 'grant'; readonly line: string }
  | { readonly kind: 'help' | 'unknown' }

const greetings = 'hi hello hey hallo hola bonjour salut ciao moin servus hei hej'
const wishes = 'good morning afternoon evening day there bellhop :wave: 👋'
const thanks = 'thanks thank you thx ty cheers merci danke ok okay great'
const courtesies = new Set([greetings, wishes, thanks].flatMap((words) => words.split(' ')))

/** @param said.isInThread - True in a thread, which may be an alert’s: the alert’s key can be left out there. */
function parseMention(
  { text, botUserId, isInThread }: BotMessage,
  hasAllOperations: boolean,
): MeantCommand {
  const words = readWords(text)
  // A text with a token anywhere is for `/alert` to refuse: no token may be repeated.
  if (words.some((word) => looksLikeToken(word.text))) return { kind: 'alert', line: text }
  const line = toRead(saidTo(text, botUserId))
  const [, first = '', rest = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const word = plainWord(first)
  if (word === 'alert' || word === 'grant') return { kind: word, line: rest }
  if (word === 'help' || first === '?' || line === '') return { kind: 'help' }
  if (commandWords.has(word) || (isInThread && mannerWords.has(word)))
    return { kind: 'alert', line: `${word} ${rest}` }
  const meant = meantDirectly(line)
  // A line that begins nearly like a word of `/alert` goes to `/alert`, which asks whether that word is meant.
  if (meant.kind !== 'unknown' || wordNear(word, hasAllOperations) === undefined) return meant
  return { kind: 'alert', line: `${first.slice(0, word.length)} ${rest}` }
}

/** The lines to read: all if something is to be sent; for a look-up the first alone, as people write more below it. */
function toRead(said: string): string {
  const [first = '', second = ''] = said
    .split(/\s+/, 2)
    .map((word) => plainWord(word.replace(/^\//, '')))
  const isSent = first === 'grant' || actWords.has(first === 'alert' ? second : first)

  return isSent || linesOfLinks(said).length > 0 ? said : (said.split('\n', 1)[0]?.trim() ?? '')
}

function meantDirectly(line: string): MeantCommand {
  const words = readWords(line)
  if (words.every(({ text }) => courtesies.has(plainWord(text)))) return { kind: 'help' }
  const [key, ...others] = words.filter((word) => !isManner(word))
  const isKeyAlone = key !== undefined && others.length === 0 && !key.isNamed && !isEmoji(key.text)

  return isKeyAlone || linesOfLinks(line).length > 0 ? { kind: 'alert', line } : { kind: 'unknown' }
}

function isEmoji(word: string): boolean {
  return /^:[\w+'-]{1,100}:$/.test(word) || /^\p{Extended_Pictographic}/u.test(word)
}

function plainWord(word: string): string {
  return bare(word).toLowerCase()
}

/** The words behind the bot’s mention, else those before it; without a mention, all. Quoted lines don’t count. */
function saidTo(text: string, botUserId: string): string {
  const toBot = new RegExp(
    `^(?!\\s*&gt;)(.*?)<@${botUserId}(?:\\|[^<>]*)?>[ :,]*(.*)([\\s\\S]*)`,
    'm',
  )
  const [, before = '', behind = '', rest = ''] =
    toBot.exec(text) ?? /^(?!\s*&gt;)(\s*\S[\s\S]*)/m.exec(text) ?? []

  return unmarked(`${behind.trim() || before}${rest}`.trim())
}
