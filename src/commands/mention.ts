// Answers what people write to the bot, in mentions and direct messages, like lines of `/alert` and `/grant`.
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

/** The line of `/grant` with the container of the thread’s alert, if the line names no container. */
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
 * The line of `/alert` with the key of the thread’s alert added, if the line names no alert. It names none if its word
 * stands alone, or if only one of these follows: a text in quotes, several words of a comment, a person to assign to, or
 * the time of a maintenance. A single word without quotes is taken for the key of another alert.
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

/** The command that a message means. `line`: the words behind the command, escaped as Slack sends them. */
type MeantCommand =
  | { readonly kind: 'alert' | 'grant'; readonly line: string }
  | { readonly kind: 'help' | 'unknown' }

const greetings = 'hi hello hey hallo hola bonjour salut ciao moin servus hei hej'
const wishes = 'good morning afternoon evening day there bellhop :wave: 👋'
const thanks =
  'thanks thank you thx ty cheers merci danke ok okay great 👍 :+1: :thumbsup: 🙏 :pray:'
const courtesies = new Set([greetings, wishes, thanks].flatMap((words) => words.split(' ')))

/** Finds the command that a message means. In a thread, which may be an alert’s, a word may stand without a key. */
function parseMention(
  { text, botUserId, isInThread }: BotMessage,
  hasAllOperations: boolean,
): MeantCommand {
  const words = readWords(text)
  // A text that may hold a token goes to `/alert`, which refuses it without repeating it.
  if (words.some((word) => looksLikeToken(word.text))) return { kind: 'alert', line: text }
  const line = toRead(saidTo(text, botUserId))
  const [, first = '', rest = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const word = plainWord(first)
  if (word === 'alert' || word === 'grant') return { kind: word, line: rest }
  if (word === 'help' || first === '?' || line === '') return { kind: 'help' }
  if (commandWords.has(word) || (isInThread && mannerWords.has(word)))
    return { kind: 'alert', line: `${word} ${rest}` }
  const meant = meantDirectly(line)
  // If the first word may be a slip of a word of `/alert`, the line goes to `/alert`, which asks whether that is meant.
  if (meant.kind !== 'unknown' || wordNear(word, hasAllOperations) === undefined) return meant
  return { kind: 'alert', line: `${first.slice(0, word.length)} ${rest}` }
}

/**
 * The part of a text that is read. All of it is read if it gives access, acts on an alert, or is a list of links.
 * Otherwise only its first line is read: below a key, people write what they think of the alert.
 */
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
  const isKeyAlone = key !== undefined && others.length === 0 && !key.isNamed

  return isKeyAlone || linesOfLinks(line).length > 0 ? { kind: 'alert', line } : { kind: 'unknown' }
}

function plainWord(word: string): string {
  return bare(word).toLowerCase()
}

/** The words behind the bot’s mention; if there are none, those before it; without a mention, all. Skips quoted lines. */
function saidTo(text: string, botUserId: string): string {
  const toBot = new RegExp(
    `^(?!\\s*&gt;)(.*?)<@${botUserId}(?:\\|[^<>]*)?>[ :,]*(.*)([\\s\\S]*)`,
    'm',
  )
  const [, before = '', behind = '', rest = ''] =
    toBot.exec(text) ?? /^(?!\s*&gt;)(\s*\S[\s\S]*)/m.exec(text) ?? []

  return unmarked(`${behind.trim() || before}${rest}`.trim())
}
