// A Slack message as the text of a comment: without Slack’s markup, which monitoring would show as it stands. Pure.
import { z } from 'zod'
import { textsIn } from '../alert/keys-in-message.ts'
import { cut, unescapeText } from '../slack/text/mrkdwn.ts'
import { lengthOf, longestComment, withoutTokens } from './text-rules.ts'

const spoken = z.object({
  text: z.string().catch(''),
  user: z.string().min(1).optional().catch(undefined),
  username: z.string().optional().catch(undefined),
  bot_profile: z
    .object({ name: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

/** What somebody, or something, said in Slack. */
export interface Spoken {
  /** As Slack has it: escaped, with its markup. */
  readonly text: string
  /** Undefined where no account of Slack’s wrote it. */
  readonly userId: string | undefined
  /** As the message itself calls its author; people’s are asked of Slack. Raw. */
  readonly name: string | undefined
}

/** More is not read: it would not fit into a comment however much of it is markup. */
const mostRead = 4_000

export function readSpoken(message: unknown): Spoken {
  const { text, user, username, bot_profile } = spoken.parse(message)
  // Tools often put all they say into blocks or attachments.
  const said = text.trim() === '' ? textsIn(message).texts.join('\n') : text
  return { text: beginningOf(said), userId: user, name: username ?? bot_profile?.name }
}

/** No token is longer. */
const longestToken = 600

/** Of a word that is cut in two nobody could tell whether it is a token, so that it ends with a whole one. */
function beginningOf(said: string): string {
  if (said.length <= mostRead) return said
  const sure = mostRead - longestToken
  const unsure = said.slice(sure, mostRead)
  const end = Math.max(unsure.lastIndexOf(' '), unsure.lastIndexOf('\n'), 0)
  return said.slice(0, sure + end)
}

/** `<https://a|b>`, `<@U1|dave>`, `<#C1|general>`, `<!date^…|fallback>`. */
const markup = /^<([^<>|]+)(?:\|([^<>]*))?>$/

/**
 * What people read of it: links by their address, people and channels by name where one is known, and left out where not.
 * Emoji keep their codes.
 * @param names - Of people, raw, by their id.
 * @returns Raw.
 */
export function plainTextOf(text: string, names: ReadonlyMap<string, string>): string {
  // Slack escapes what is no markup of its own, so this is undone last, and once.
  return text
    .split(/(<[^<>]*>)/)
    .map((part) => {
      const [, target, label = ''] = markup.exec(part) ?? []
      return target === undefined ? unescapeText(part) : wordsFor(target, unescapeText(label), names)
    })
    .join('')
}

/** Empty for what has no words. @param label - Raw. */
function wordsFor(target: string, label: string, names: ReadonlyMap<string, string>): string {
  const rest = target.slice(1)
  switch (target[0]) {
    case '@': {
      const name = names.get(rest) ?? label
      return name === '' ? '' : `@${name}`
    }
    case '#':
      return label === '' ? '' : `#${label}`
    case '!':
      if (label !== '') return label
      return /^(?:here|channel|everyone)$/.test(rest) ? `@${rest}` : ''
    default:
      return unescapeText(target.replace(/^(?:mailto|tel):/i, ''))
  }
}

/** The text of a comment, and how it differs from what was said. */
interface CommentText {
  /** Raw. */
  readonly message: string
  /** It is the beginning of a longer one. */
  readonly isCut: boolean
  /** A token was left out. */
  readonly isMasked: boolean
}

/**
 * As a comment begins: with its author’s name where that is somebody else, without any token, and no longer than one may
 * be.
 * @param token - Of whoever reads it.
 */
export function asComment(text: string, author: string | undefined, token: string | undefined): CommentText {
  // What was left out leaves its spaces behind.
  const heard = text.replaceAll(/ {2,}/g, ' ').trim()
  const said = withoutTokens(heard, token)
  const isMasked = said !== heard
  const whole = author === undefined || said === '' ? said : `${cut(author, 80)}: ${said}`
  if (lengthOf(whole) <= longestComment) return { message: whole, isCut: false, isMasked }
  const beginning = [...whole].slice(0, longestComment - 1).join('')
  return { message: `${beginning.trimEnd()}…`, isCut: true, isMasked }
}
