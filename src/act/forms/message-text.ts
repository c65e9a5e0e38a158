// A Slack message as the text of a comment: without Slack’s markup, which monitoring would show as it stands. Pure.
import { z } from 'zod'
import { textsIn } from '../../alert/message-shortcut/keys.ts'
import { cut, unescapeText } from '../../slack/text/mrkdwn.ts'
import { lengthOf, longestComment } from '../text-rules.ts'

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
  return { text: said.slice(0, mostRead), userId: user, name: username ?? bot_profile?.name }
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

/** As a comment begins: with its author’s name where that is somebody else, and no longer than one may be. */
export function asComment(
  text: string,
  author: string | undefined,
): { readonly message: string; readonly isCut: boolean } {
  // What was left out leaves its spaces behind.
  const said = text.replaceAll(/ {2,}/g, ' ').trim()
  const whole = author === undefined || said === '' ? said : `${cut(author, 80)}: ${said}`
  if (lengthOf(whole) <= longestComment) return { message: whole, isCut: false }
  return {
    message: `${[...whole]
      .slice(0, longestComment - 1)
      .join('')
      .trimEnd()}…`,
    isCut: true,
  }
}
