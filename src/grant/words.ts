// Words for an access, as a name, a line or in full; and for its outcome, why, and what to do. Pure; raw text.
import { type Cause, causeWords, extrasOf, outcomeWords, refusals, signOf } from '../send/outcome.ts'
import { type Line, words } from '../slack/outbound/message.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import { type Access, isGranted, isLacking, type Result } from './access.ts'
import { asProvider, lookAlikeReasons, oneOf } from './line.ts'
import {
  allowedWords,
  flagMeanings,
  inList,
  inOrder,
  type Roles,
  roleOf,
  roleTitle,
  sensitiveFlags,
} from './roles.ts'

/** The container as its reader may know it: “Customer 1 (12)”, else “container 12”. */
export function containerOf({ containerId }: Pick<Access, 'containerId'>, container?: string): string {
  return container ?? `container ${containerId}`
}

/** “Responder”, “READ and API”, “Dashboards only”. */
export function accessName(permissions: readonly string[], roles: Roles): string {
  const known = inOrder(permissions)
  const role = roleOf(known, roles)
  return role === undefined ? inList.format(known) || 'Dashboards only' : roleTitle(role)
}

/** “Responder on Customer 1 (12) · member”; of somebody who is there, “Viewer → Responder on Customer 1 (12)”. */
function accessSummary(access: Access, roles: Roles, container?: string, whom = ''): string {
  const { permissions, there } = access
  const before = there && accessName(there.permissions, roles)
  const after = accessName([...(there?.permissions ?? []), ...permissions], roles)
  const change = before === undefined || before === after ? after : `${before} → ${after}`
  return [`${change} on ${containerOf(access, container)}${whom}`, ...extrasOf(access)].join(' · ')
}

/** “Responder on Customer 1 (12) for 2 people (…) · member”: names everybody, and every flag but a role’s. */
export function accessLine(access: Access, roles: Roles, container?: string): string {
  const { emails } = access
  const all = emails.join(', ')
  const whom = emails.length === 1 ? all : `${emails.length} people (${all})`
  return accessSummary(access, roles, container, ` for ${whom}`)
}

/** What calls for a second look at an access, a line each; empty when nothing does. */
export function cautions(access: Access): readonly string[] {
  const { permissions, there } = access
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag))
  const isBare = permissions.length === 0 && there === undefined
  return [
    ...lookAlikeReasons(access),
    ...(sensitive.length === 0 ? [] : ['Sensitive flags:']),
    ...sensitive.map((flag) => `• ${flag}: ${flagMeanings[flag]}`),
    ...(there !== undefined && permissions.length > 0 ? [`Adds ${permissions.join(', ')}`] : []),
    ...(there === undefined ? [] : ['They keep all that they have.']),
    ...(isBare ? ['No flags: they can open dashboards only.'] : []),
  ]
}

/** Cautions, and in the form’s words everything else that the access allows. */
export function inFull(access: Access): readonly string[] {
  const { permissions } = access
  const others = permissions.filter((flag) => !sensitiveFlags.has(flag))
  if (others.length === 0) return cautions(access)
  const [before, behind] = others.length === permissions.length ? ['', ' · none sensitive'] : ['Also: ', '']
  return [...cautions(access), `${before}${allowedWords(others)}${behind}`]
}

/** Joins lines into one piece, of which a message cuts nothing. */
export function together(lines: readonly string[]): Line {
  return [words(lines.join('\n'))]
}

export interface ReceiptView {
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
  /** As the service spells them. */
  readonly authProviders?: readonly string[] | undefined
  /** Owner of the token, raw, where everybody in the channel reads it; missing where only the owner does. */
  readonly askerName?: string | undefined
}

const longestName = 80
const longestReason = 200

/** `words`: the outcome, beyond its sign. `own`: why, for this person alone. `below`: why, and what to do. */
function saidOf(
  access: Access,
  result: Result,
  view: ReceiptView,
): readonly [words: string, own?: string | undefined, ...below: string[]] {
  const { email, outcome, has, reason } = result
  const where = containerOf(access, view.container)
  switch (outcome.kind) {
    case 'done':
      return ['', outcome.on === 'unsaid' ? 'Monitoring lists them, but doesn’t say who added them.' : '']
    case 'uncertain':
      return [`${email} may or may not be on ${where}`, uncertainWords(outcome.cause)]
    case 'not-sent':
      return ['I was stopped before I sent anything']
    case 'not-done': {
      const whose = view.askerName === undefined ? 'your' : `${cut(view.askerName, longestName)}’s`
      const [why, toDo] = refusals[outcome.code](whose, where)
      // Only the token’s owner reads the service's own words, and nothing in them looks like a token.
      const said = reason && `Monitoring says of ${email}: “${cut(withoutSecrets(reason), longestReason)}”`
      if (outcome.code !== 'bad-request') return [why, said, toDo]
      // The service’s words are better than guesses.
      if (has === undefined) return [why, said, said === undefined ? toDo : '']
      if (has === 'not-seen') return [`I can’t see ${email} on ${where}`, said ?? unknownWords(view)]
      const from = has.inherit ? ' through another container' : ''
      const already = `${email} is already on ${where}${from}${asWords(has.permissions, view.roles)}`
      const next = has.inherit ? 'To change them, go to that container in monitoring.' : ''
      return [already, said ?? (isLacking(access, has) ? '' : 'They have all of that already.'), next]
    }
    default:
      return outcome satisfies never
  }
}

function unknownWords({ authProviders = [] }: ReceiptView): string {
  const others = authProviders.filter((one) => one !== 'Password')
  const via = oneOf.format(others.map((one) => `“via ${asProvider(one)}”`))
  const orSo = via && `; if they sign in with ${oneOf.format(others)}, add ${via}`
  return `Monitoring probably has no account with this address. Check it${orSo}.`
}

/** “, as Viewer”, “, with READ and API”; nothing where nothing is known. */
function asWords(permissions: readonly string[], roles: Roles): string {
  const known = inOrder(permissions)
  if (known.length === 0) return ''
  return `${roleOf(known, roles) === undefined ? ', with' : ', as'} ${accessName(known, roles)}`
}

function uncertainWords(cause: Cause): string {
  const sent = cause === 'stopped' ? 'may have gone out' : 'went out'
  return `The request ${sent}, but ${causeWords[cause]}. Check in monitoring before trying again. I won’t resend it.`
}

/** “✅ Granted”; of several people, “2 of 3 granted”. */
export function endWords(results: readonly Result[]): string {
  const [only] = results
  return results.length === 1 && only !== undefined
    ? `${signOf(only.outcome)} ${outcomeWords[only.outcome.kind][1]}`
    : `${results.filter(isGranted).length} of ${results.length} granted`
}

/** Outcomes, a line each: “⛔ dave@example.com: monitoring says no”; and why, and what to do, once. */
export function whatBecame(access: Access, results: readonly Result[], view: ReceiptView) {
  const below = new Set<string>()
  const each = results.map((one) => {
    const isOne = results.length === 1
    const [first, own = '', ...more] = saidOf(access, one, view)
    for (const sentence of isOne ? [own, ...more] : more) below.add(sentence)
    const news = one.outcome.kind === 'not-sent' && !isOne ? 'not sent' : first
    const line = news.includes(one.email) ? news : [one.email, news].filter(Boolean).join(': ')
    return `${signOf(one.outcome)} ${[line, !isOne && own].filter(Boolean).join('. ')}`
  })
  return { each, below: [...below].filter(Boolean) }
}

/** Headline and lines of a receipt. */
export function described(access: Access, results: readonly Result[], view: ReceiptView) {
  const { roles, container, askerName } = view
  // What somebody had before was read for the asker alone.
  const asked = askerName === undefined ? access : { ...access, there: undefined }
  const { each, below } = whatBecame(asked, results, view)
  const [only] = results.length === 1 ? results : []
  const headline = (news: string) => `${endWords(results)}: ${news}`
  if (only === undefined)
    return { headline: headline(accessSummary(asked, roles, container)), lines: [together(each), ...below] }
  if (isGranted(only)) return { headline: headline(grantedWords(access, only, view)), lines: below }
  const [news] = saidOf(asked, only, view)
  return { headline: headline(news), lines: [together([accessLine(asked, roles, container)]), ...below] }
}

/** “dave@example.com is now Responder on Customer 1 (12) · member”; of somebody who was there, what was added. */
function grantedWords(access: Access, { email }: Result, { roles, container }: ReceiptView): string {
  const { permissions, there } = access
  const [name, where] = [accessName(permissions, roles), containerOf(access, container)]
  if (permissions.length === 0 && there) return `${email} is now a member of ${where}`
  const isRole = there === undefined && roleOf(permissions, roles) !== undefined
  const has = there ? 'now also has ' : isRole ? 'is now ' : 'now has '
  const news = permissions.length === 0 ? 'is now' : `${has}${name}`
  return [`${email} ${news} on ${where}`, ...extrasOf(access)].join(' · ')
}
