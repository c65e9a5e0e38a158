// Explains what became of people: a headline for one, a line for each of several; and below, why it is so and what to do, each
// thing once, whomever it concerns. Pure; raw text.
import {
  type Cause,
  causeWords,
  type NotDoneCode,
  outcomeWords,
  refusals,
  type Sight,
  signOf,
} from '../../send/outcome.ts'
import type { Line } from '../../slack/outbound/message.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import {
  type Access,
  containerOf,
  extrasOf,
  isGranted,
  isLacking,
  type Result,
  roleThere,
  together,
  wantedLines,
} from '../access.ts'
import { inOrder, type Roles, roleOf, roleTitle } from '../roles.ts'

export interface ReceiptView {
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
  /** Whose token it was, raw, where everybody in the channel reads it; missing where only they do. */
  readonly askerName?: string | undefined
}

/** What there is to say of one person: what became of them, where the sign says not all; why it is so, and what to do. */
interface Said {
  readonly words: string
  /** A sentence each, equal for all whom it concerns. */
  readonly below: readonly string[]
}

function saidOf(access: Access, result: Result, view: ReceiptView): Said {
  const { email, outcome, saw = 'off' } = result
  switch (outcome.kind) {
    case 'done':
      return { words: '', below: outcome.on === 'unsaid' ? [addedBySomebody] : [] }
    case 'not-done':
      return refusalOf(access, result, outcome.code, view)
    case 'uncertain': {
      const [seen, toDo] = sights[saw]
      const words = `${email} may or may not be on ${containerOf(access, view.container)}${seen}`
      return { words, below: [uncertainWords(outcome.cause), toDo] }
    }
    case 'not-sent':
      return { words: 'I was stopped before I sent anything', below: [] }
    default:
      return outcome satisfies never
  }
}

const addedBySomebody = 'Monitoring lists them, but doesn’t say who added them.'

function refusalOf(
  access: Access,
  { email, has, reason }: Result,
  code: NotDoneCode,
  view: ReceiptView,
): Said {
  const { roles, container, askerName } = view
  const whose = askerName === undefined ? 'your' : `${cut(askerName, longestName)}’s`
  const where = containerOf(access, container)
  const [why, toDo] = refusals[code](whose, where)
  const said = reason === undefined ? [] : [`Monitoring says of ${email}: ${quoted(reason)}`]
  if (code === 'bad-request' && typeof has === 'object') {
    const elsewhere = has.inherit ? ' through another container' : ''
    return {
      words: `${email} is already on ${where}${elsewhere}${asWords(has.permissions, roles)}`,
      below: [
        ...said,
        ...(has.inherit ? ['They come from another container: change them there, in monitoring.'] : []),
        ...(isLacking(access, has) ? [] : ['They have all of that already.']),
      ],
    }
  }
  const words = code === 'bad-request' && has === 'not-seen' ? `I can’t see ${email} on ${where}` : why
  // What the service says is better than guesses.
  return { words, below: code === 'bad-request' && reason !== undefined ? said : [...said, toDo] }
}

const longestName = 80
const longestReason = 200

/** The service's own words, for whose token it was alone; nothing in them looks like a token. */
function quoted(reason: string): string {
  return `“${cut(withoutSecrets(reason), longestReason)}”`
}

/** “, as Viewer”, “, with READ, API”. */
function asWords(permissions: readonly string[], roles: Roles): string {
  const known = inOrder(permissions)
  if (known.length === 0) return ''
  const role = roleOf(known, roles)
  return role === undefined ? `, with ${known.join(', ')}` : `, as ${roleTitle(role)}`
}

function uncertainWords(cause: Cause): string {
  const sent = cause === 'stopped' ? 'may have gone out' : 'went out'
  return `The request ${sent}, but ${causeWords[cause]}. Check in monitoring before trying again. I won’t resend it.`
}

/** What the list of people shows of somebody who is not certain, and what to do. */
const sights: Readonly<Record<Sight, readonly [seen: string, toDo: string]>> = {
  unlisted: [
    ' · not listed so far',
    'Monitoring may not list everyone, or not yet: look again before you send another.',
  ],
  otherwise: [' · listed, but not as you asked', ''],
  unread: [' · I couldn’t read who is on it', 'To see who is on it, I need READ. Look again in a moment.'],
  off: ['', ''],
}

/** “✅ Granted”; of several people, “2 of 3 granted”. */
export function endWords(results: readonly Result[]): string {
  const [only, ...others] = results
  return only === undefined || others.length > 0
    ? `${results.filter(isGranted).length} of ${results.length} granted`
    : `${signOf(only.outcome)} ${outcomeWords[only.outcome.kind][1]}`
}

/** What became of people, a line each: “⛔ dave@example.com: monitoring says no”; and why, and what to do, once. Raw. */
export function whatBecame(access: Access, results: readonly Result[], view: ReceiptView) {
  const said = results.map((one) => ({ ...one, ...saidOf(access, one, view) }))
  const each = said.map(({ email, outcome, words }) => {
    const news = outcome.kind === 'not-sent' && results.length > 1 ? 'not sent' : words
    const line = news.includes(email) ? news : [email, news].filter(Boolean).join(': ')
    return `${signOf(outcome)} ${line}`
  })
  return { each, below: [...new Set(said.flatMap(({ below }) => below))].filter(Boolean) }
}

/** All that is to be said of what became of people, as a receipt has it. */
export function described(
  access: Access,
  results: readonly Result[],
  view: ReceiptView,
): { readonly headline: string; readonly lines: readonly Line[] } {
  const { roles, container, askerName } = view
  // What somebody had before was read for the asker alone.
  const asked = askerName === undefined ? access : { ...access, there: undefined }
  const extras = extrasOf(asked)
  const { each, below } = whatBecame(asked, results, view)
  const [only] = results.length === 1 ? results : []
  const wanted = [roleThere(asked, roles, container), ...extras].join(' · ')
  const news =
    only && (isGranted(only) ? `${only.email} ${nowWords(access, view)}` : saidOf(asked, only, view).words)
  const ofOne = results.every(isGranted) ? extras : [together(wantedLines(asked, roles, container))]
  return {
    headline: `${endWords(results)}: ${news ?? wanted}`,
    lines: [...(only ? ofOne : [together(each)]), ...below],
  }
}

/** “is now Responder on Customer 1 (12)”; what somebody had before is no news. */
function nowWords(access: Access, { roles, container }: ReceiptView): string {
  const where = containerOf(access, container)
  const { permissions, there } = access
  if (there !== undefined && permissions.length > 0) return `now has ${permissions.join(', ')} on ${where}`
  const role = roleOf(permissions, roles)
  return role === undefined
    ? `is now on ${where}${asWords(permissions, roles)}`
    : `is now ${roleTitle(role)} on ${where}`
}
