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
  flagsWith,
  isGranted,
  isLacking,
  publicly,
  type Result,
  roleThere,
  together,
  wantedLines,
} from '../access.ts'
import { accessName, flags, type Roles, roleOf, roleTitle } from '../roles.ts'

export interface ReceiptView {
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
  /** Whose token it was, raw, where everybody in the channel reads it; missing where only they do. */
  readonly askerName?: string | undefined
}

/** What there is to say of one person. */
interface Said {
  /** Behind “Granted:” and the like, where they are the only one. */
  readonly news: string
  /** Behind their address, where they are one of several; empty where the sign says it. */
  readonly brief: string
  /** Why it is so, and what to do: a sentence each, equal for all whom it concerns. */
  readonly below: readonly string[]
}

function saidOf(access: Access, result: Result, view: ReceiptView): Said {
  const { email, outcome, saw = 'off' } = result
  const where = containerOf(access, view.container)
  switch (outcome.kind) {
    case 'done': {
      const news = `${email} ${nowWords(access, where, view)}`
      if (outcome.on !== 'unsaid') return { news, brief: '', below: [] }
      const below = ['Monitoring lists them, but doesn’t say who added them.']
      return { news, brief: 'on the container now', below }
    }
    case 'not-done':
      return refusalOf(access, result, outcome.code, view)
    case 'uncertain': {
      const [brief, seen] = sights[saw]
      const what = access.there === undefined ? 'be' : `have ${accessName(flagsWith(access), view.roles)}`
      const news = `${email} may or may not ${what} on ${where}`
      return { news, brief: `not certain, ${brief}`, below: [uncertainWords(outcome.cause, view), seen] }
    }
    case 'not-sent':
      return { news: 'I was stopped before I sent anything', brief: 'not sent', below: [] }
    default:
      return outcome satisfies never
  }
}

/** “is now Responder on Customer 1 (12)”. */
function nowWords(access: Access, where: string, { roles, askerName }: ReceiptView): string {
  // What somebody had before is for whoever's token showed it.
  if (access.there !== undefined && askerName !== undefined) {
    const added = [...access.permissions, ...(access.member ? ['member'] : [])]
    return `now has ${added.join(', ')} on ${where}`
  }
  const permissions = flagsWith(access)
  if (permissions.length === 0) return `is now on ${where}, for dashboards only`
  const role = roleOf(permissions, roles)
  return role === undefined
    ? `is now on ${where}${asWords(permissions, roles)}`
    : `is now ${roleTitle(role)} on ${where}`
}

function refusalOf(access: Access, result: Result, code: NotDoneCode, view: ReceiptView): Said {
  const { email, has } = result
  const where = containerOf(access, view.container)
  const [why, toDo] = refusals[code](whose(view), where)
  const reason = quoted(result)
  const below = code === 'bad-request' && reason !== undefined ? [] : [toDo]
  if (code !== 'bad-request' || has === undefined) return { news: why, brief: reason ?? why, below }
  if (has === 'not-seen')
    return { news: `I can’t see ${email} on ${where}`, brief: reason ?? 'I can’t see them on it', below }
  const how = `${has.inherit ? ' through another container' : ''}${asWords(has.permissions, view.roles)}`
  return {
    news: `${email} is already on ${where}${how}`,
    brief: reason ?? `already on it${how}`,
    below: [
      ...(has.inherit ? ['They come from another container: change them there, in monitoring.'] : []),
      ...(isLacking(access, has) ? [] : ['They have all of that already.']),
    ],
  }
}

/** “, as Viewer”, “, with READ, API”. */
function asWords(permissions: readonly string[], roles: Roles): string {
  const known = flags.filter((flag) => permissions.includes(flag))
  if (known.length === 0) return ''
  const role = roleOf(known, roles)
  return role === undefined ? `, with ${known.join(', ')}` : `, as ${roleTitle(role)}`
}

function uncertainWords(cause: Cause, { askerName }: ReceiptView): string {
  const sent = cause === 'stopped' ? 'may have gone out' : 'went out'
  const who = askerName === undefined ? 'you try' : 'anybody tries'
  return `The request ${sent}, but ${causeWords[cause]}. Check in monitoring before ${who} again. I won’t resend it.`
}

/** Of who is not certain: behind an address among several, and as a sentence. */
const sights: Readonly<Record<Sight, readonly [brief: string, sentence: string]>> = {
  unlisted: [
    'not listed',
    'So far, monitoring doesn’t list them there. It may not list everyone, or not yet: look again before you send another.',
  ],
  otherwise: ['listed, but not as you asked', 'So far, monitoring lists them there, but not as you asked.'],
  unread: [
    'check in monitoring',
    'I couldn’t read who is on it, which needs READ. Look again in a moment, or check in monitoring.',
  ],
  off: ['check in monitoring', ''],
}

const eachOnce = (lines: readonly string[]) => [...new Set(lines)].filter(Boolean)

/** Each thing once that the list of people showed of who is not certain. */
export function sightLines(results: readonly Result[]): readonly string[] {
  return eachOnce(results.map(({ saw = 'off' }) => sights[saw][1]))
}

/** What the service said of people, for whose token it was alone. Raw. */
export function reasonLines(results: readonly Result[]): readonly string[] {
  const isOne = results.length === 1
  const said = results.flatMap((result) => {
    const reason = quoted(result)
    return reason === undefined ? [] : [isOne ? `Monitoring says: ${reason}` : `${result.email}: ${reason}`]
  })
  return isOne || said.length === 0 ? said : ['Monitoring says:', ...said]
}

/** What became of people: “Granted: …” or, for several, each with their sign; and what there is to explain. */
function explain(access: Access, results: readonly Result[], view: ReceiptView) {
  const said = results.map((one) => ({ ...one, ...saidOf(access, one, view) }))
  const [only] = said.length === 1 ? said : []
  const word = only && outcomeWords[only.outcome.kind][1]
  return {
    only: only && `${word?.charAt(0).toUpperCase()}${word?.slice(1)}: ${only.news}`,
    each: said.map(({ outcome, email, brief }) =>
      [`${signOf(outcome)} ${email}`, brief].filter(Boolean).join(': '),
    ),
    below: eachOnce([...(only ? reasonLines(results) : []), ...said.flatMap(({ below }) => below)]),
  }
}

/** All that is to be said of what became of people, as a receipt has it. */
export function described(
  access: Access,
  results: readonly Result[],
  view: ReceiptView,
): { readonly headline: string; readonly lines: readonly Line[] } {
  const { roles, container, askerName } = view
  const { only, each, below } = explain(access, results, view)
  const extras = extrasOf(access)
  // What somebody had before was read for the asker alone.
  const asked = askerName === undefined ? access : { ...access, there: undefined }
  if (only === undefined) {
    const granted = `${results.filter(isGranted).length} of ${results.length} granted`
    const headline = `${granted}: ${[roleThere(asked, roles, container), ...extras].join(' · ')}`
    return { headline, lines: [together(each), ...below] }
  }
  const lines = results.every(isGranted) ? extras : [together(wantedLines(asked, roles, container))]
  return { headline: `${results.map(({ outcome }) => signOf(outcome))} ${only}`, lines: [...lines, ...below] }
}

/** What became of people, for everybody who reads a request. Raw. */
export function whatBecame(access: Access, results: readonly Result[], view: ReceiptView): readonly string[] {
  const { only, each, below } = explain(access, publicly(results), view)
  return [...(only === undefined ? each : [`${only}.`]), ...below]
}

const longestReason = 200

/** The service's own words, for whose token it was alone, quoted; nothing in them looks like a token. */
function quoted({ reason }: Result): string | undefined {
  return reason === undefined ? undefined : `“${cut(withoutSecrets(reason), longestReason)}”`
}

const longestName = 80

function whose({ askerName }: ReceiptView): string {
  return askerName === undefined ? 'your' : `${cut(askerName, longestName)}’s`
}
