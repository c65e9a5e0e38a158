// Words for an access, as a name, a line or in full; and for its outcome, why, and what to do. Pure; raw text.
import {
  type AccessKind,
  type Cause,
  causeWords,
  deeds,
  extrasOf,
  isRefusedFor,
  outcomeWords,
  refusals,
  signOf,
  type Warning,
} from '../send/outcome.ts'
import type { There, Whom } from '../send/whom.ts'
import { type Line, words } from '../slack/outbound/message.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import {
  type Access,
  called,
  calledInFull,
  cantBeAdded,
  isGranted,
  isLacking,
  publicly,
  type Result,
} from './access.ts'
import { asProvider, lookAlikeReasons } from './line.ts'
import { oneOf } from './pieces.ts'
import { durationWords, endsAnyway, untilLine } from './render/ends.ts'
import {
  allowedWords,
  type Flag,
  flagMeanings,
  inList,
  inOrder,
  isFlag,
  type Roles,
  roleOf,
  roleTitle,
  sensitiveFlags,
} from './roles.ts'

/** The container as its reader may know it: “Customer 1 (12)”, else “container 12”. */
export function containerOf(
  { containerId }: Pick<Access, 'containerId'>,
  container?: string,
): string {
  return container ?? `container ${containerId}`
}

/** “Responder”, “Viewer and WEBHOOKS”, “READ and API”, “Dashboards only”: sensitive flags first, and no flag twice. */
export function accessName(permissions: readonly string[], roles: Roles): string {
  const known = inOrder(permissions)
  const isWithin = (role: readonly Flag[]) => role.every((flag) => known.includes(flag))
  const [role, granted] = Object.entries(roles)
    .filter(([, flags]) => isWithin(flags))
    .reduce((most, one) => (one[1].length > most[1].length ? one : most), ['', []])
  const more = permissions.filter((flag) => !granted.some((one) => one === flag))
  const [sensitive, others] = [
    more.filter(isSensitive),
    inOrder(more).filter((flag) => !isSensitive(flag)),
  ]
  const unknown = more.filter((flag) => !isFlag(flag))
  const named = [...(role === '' ? [] : [roleTitle(role)]), ...sensitive, ...others, ...unknown]
  return cut(inList.format(named), longestAccess) || 'Dashboards only'
}

/** “Responder”; of a member alone, “membership”. */
export function whatEnds(
  { flags, member }: { readonly flags: readonly string[]; readonly member: boolean },
  roles: Roles,
): string {
  return flags.length === 0 && member ? 'membership' : accessName(flags, roles)
}

/** Characters for all flags of the contract, and a few unknown ones. */
const longestAccess = 500

const isSensitive = (flag: string) => isFlag(flag) && sensitiveFlags.has(flag)

/** Flags after a change, those that Bellhop doesn’t know among them. */
function flagsAfter({ permissions, takes = [] }: Access, there: There): readonly string[] {
  const kept = there.permissions.filter((flag) => !takes.some((one) => one === flag))
  return [...new Set([...kept, ...permissions])]
}

/** “Responder”; of somebody who is changed, “Viewer → Responder”, where it may be shown what they had. */
export function changeName(access: Access, roles: Roles): string {
  const { kind, permissions, people } = access
  const there = people[0]?.there
  if (kind !== 'change') return accessName(permissions, roles)
  if (there === undefined) return changeWords(access).join(' · ')
  const before = accessName(there.permissions, roles)
  const after = accessName(flagsAfter(access, there), roles)
  return before === after ? after : `${before} → ${after}`
}

/** “+ ALERT_ASSIGN, member” and “− WEBHOOKS ⚠️”, a line each. */
function changeWords({ permissions, takes = [], member }: Access): readonly string[] {
  const marked = (flag: Flag) => (isSensitive(flag) ? `${flag} ⚠️` : flag)
  const given = [...permissions.map(marked), ...(member === true ? ['member'] : [])].join(', ')
  const taken = [...takes.map(marked), ...(member === false ? ['member'] : [])].join(', ')
  return [given && `+ ${given}`, taken && `− ${taken}`].filter(Boolean)
}

const countOf = ({ length }: readonly unknown[]) => (length === 1 ? '1 person' : `${length} people`)

/** “Responder on Customer 1 (12) for 2 people (…) · member”: names everybody, and every flag but a role’s. */
export function accessLine(
  access: Access,
  roles: Roles,
  container?: string,
  isBrief = false,
): string {
  const { kind, people } = access
  const where = containerOf(access, container)
  const all = people.map(called).join(', ')
  const one = isBrief ? countOf(people) : `${countOf(people)} (${all})`
  const whom = people.length === 1 ? all : one
  switch (kind) {
    case 'remove':
      return isBrief ? where : `Remove ${whom} from ${where}`
    case 'take-back': {
      const ends = whatEnds({ flags: access.takes ?? [], member: access.member === false }, roles)
      return `${ends} on ${where}${isBrief ? '' : ` for ${whom}`}`
    }
    case 'uninvite':
      return `Withdraw the invitation of ${whom} to ${where}`
    case 'extend': {
      const more = `${durationWords(access.moreMs ?? 0)} more of ${accessName(access.permissions, roles)}`
      return `${more} on ${where}${isBrief ? '' : ` for ${whom}`}`
    }
    case 'invite':
      return [
        `Invite ${whom} to ${where} as ${changeName(access, roles)}`,
        ...extrasOf(access),
      ].join(' · ')
    case 'change':
    case 'add-user': {
      const name = `${changeName(access, roles)} on ${where}${isBrief ? '' : ` for ${whom}`}`
      return [name, ...(kind === 'change' ? [] : extrasOf(access))].join(' · ')
    }
    default:
      return kind satisfies never
  }
}

/** What people have who are removed, a line each; empty for other kinds. Raw. */
export function lostWords({ kind, people }: Access, roles: Roles): readonly string[] {
  const has = ({ there }: Whom) => accessName(there?.permissions ?? [], roles)
  return kind === 'remove'
    ? people.map((one) => `${calledInFull(one)} · ${cut(has(one), 100)}`)
    : []
}

/** What can’t be undone without others, a line each. @param whose - The asker’s: “your”, or “Bob Baker’s”. */
export function warningWords({ warnings = [] }: Access, whose: string): readonly string[] {
  const sentences = {
    own: `This is ${whose} own access.`,
    'last-holder': 'After this, nobody I can see there has CONTAINER_ACCESS.',
    'gave-for-a-time':
      'Access that this person gave there for a time is taken back with their account. After this, I can’t.',
  } as const satisfies Readonly<Record<Extract<Warning, string>, string>>
  return warnings.map((one) => (typeof one === 'string' ? sentences[one] : one.said))
}

/** What calls for a second look at an access, a line each; empty when nothing does. */
export function cautions(access: Access, roles: Roles): readonly string[] {
  const { kind, permissions, keeps = [], stillEnds = [], ends } = access
  const isKept = keeps.length > 0 && ends === undefined
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag))
  const isBare = permissions.length === 0 && (kind === 'add-user' || kind === 'invite')
  return [
    ...lookAlikeReasons(access),
    ...(sensitive.length === 0 ? [] : ['Sensitive flags:']),
    ...sensitive.map((flag) => `• ${flag}: ${flagMeanings[flag]}`),
    ...(kind === 'change' ? changeWords(access) : []),
    ...(isBare ? ['No flags: they can open dashboards only.'] : []),
    ...(isKept ? [`No longer ends by itself: ${accessName(keeps, roles)}.`] : []),
    ...(stillEnds.length === 0 ? [] : [`Still ends by itself: ${accessName(stillEnds, roles)}.`]),
  ]
}

/** Cautions, and in the form’s words everything else that the access allows. */
export function inFull(access: Access, roles: Roles): readonly string[] {
  const { kind, permissions } = access
  const others = permissions.filter((flag) => !sensitiveFlags.has(flag))
  if (others.length === 0 || kind === 'change') return cautions(access, roles)
  const [before, behind] =
    others.length === permissions.length ? ['', ' · none sensitive'] : ['Also: ', '']
  return [...cautions(access, roles), `${before}${allowedWords(others)}${behind}`]
}

/** Joins lines into one piece, of which a message cuts nothing. */
export function together(lines: readonly string[]): Line {
  return lines.length === 0 ? [] : [words(lines.join('\n'))]
}

export interface ReceiptView {
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
  /** As the service spells them. */
  readonly authProviders?: readonly string[] | undefined
  /** Owner of the token, raw, where everybody in the channel reads it; missing where only the owner does. */
  readonly askerName?: string | undefined
  /** Until when it lasts, in milliseconds since 1970; missing where it is for good, or not sent yet. */
  readonly endsAt?: number | undefined
}

const longestName = 80
const longestReason = 200
/** Room for the longest address; twenty of these, and the buttons, are a message. */
const longestOutcome = 400

/**
 * `words`: the outcome, beyond its sign. `own`: why, for this person alone. `below`: why, and what to do.
 * @param isOne - Nobody else is on the receipt.
 */
function saidOf(
  access: Access,
  result: Result,
  view: ReceiptView,
  isOne: boolean,
): readonly [words: string, own?: string | undefined, ...below: string[]] {
  const { outcome, has, isEnding, lacks = [], reason } = result
  const whom = called(result)
  const where = containerOf(access, view.container)
  switch (outcome.kind) {
    case 'done':
      if (outcome.on === 'already') return ['', '', 'Nothing was sent.']
      return [
        '',
        outcome.on === 'unsaid' ? 'Monitoring lists them, but doesn’t say who added them.' : '',
      ]
    case 'uncertain':
      return [
        `${whom} may or may not be ${unsureWords[access.kind]} ${where}`,
        uncertainWords(access, outcome.cause, view),
      ]
    case 'not-sent':
      return ['I was stopped before I sent anything']
    case 'not-done': {
      const whose = view.askerName === undefined ? 'your' : `${cut(view.askerName, longestName)}’s`
      const [why, toDo] = refusals[outcome.code](whose, where, access.kind)
      // Only the token’s owner reads the service's own words, and nothing in them looks like a token.
      const said =
        reason && `Monitoring says of ${whom}: “${cut(withoutSecrets(reason), longestReason)}”`
      if (!cantBeAdded.includes(outcome.code)) return [why, said, toDo]
      if (lacks.length > 0 && typeof has !== 'object') {
        const flags = inList.format(lacks)
        return [
          `${whose} token lacks ${flags} on ${where}`,
          said,
          'Somebody who has all of that can do it.',
        ]
      }
      // The service’s words are better than guesses.
      if (has === undefined) return [why, said, said === undefined ? toDo : '']
      if (has === 'not-seen')
        return [`I can’t see ${whom} on ${where}`, said, said ? '' : unknownWords(view, isOne)]
      const from = has.inherit ? ' through another container' : ''
      const already = `${whom} is already on ${where}${from}${asWords(has.permissions, view.roles)}`
      const next = has.inherit ? 'To change them, go to that container in monitoring.' : ''
      const isAll = hasAlready(access, result)
      const hasAll = isOne && isAll ? 'They have all of that already.' : ''
      return [already, said ?? hasAll, isAll && isEnding ? endsAnyway : next]
    }
    default:
      return outcome satisfies never
  }
}

const unsureWords: Readonly<Record<AccessKind, string>> = {
  ...{ 'add-user': 'on', remove: 'on', 'take-back': 'on' },
  ...{ change: 'changed on', invite: 'invited to', uninvite: 'invited to', extend: 'on' },
}

/** True for somebody who was refused and, as a read shows, lacks nothing of it. */
function hasAlready(access: Access, { outcome, has }: Result): boolean {
  const isShown = has !== undefined && has !== 'not-seen'
  return isShown && isRefusedFor(outcome, ['bad-request']) && !isLacking(access, has)
}

function unknownWords({ authProviders = [] }: ReceiptView, isOne: boolean): string {
  const others = authProviders.filter((one) => one !== 'Password')
  const via = oneOf.format(others.map((one) => `“via ${asProvider(one)}”`))
  const orSo = via && `; if they sign in with ${oneOf.format(others)}, add ${via}`
  const which = isOne ? 'this address. Check it' : 'an address that I can’t see. Check those'
  return `Monitoring probably has no account with ${which}${orSo}.`
}

/** “, as Viewer”, “, with READ and API”; nothing where nothing is known. */
function asWords(permissions: readonly string[], roles: Roles): string {
  if (inOrder(permissions).length === 0) return ''
  return `${isRole(permissions, roles) ? ', as' : ', with'} ${accessName(permissions, roles)}`
}

function isRole(permissions: readonly string[], roles: Roles): boolean {
  const known = inOrder(permissions)
  return known.length === permissions.length && roleOf(known, roles) !== undefined
}

function uncertainWords(
  { kind, ...access }: Access,
  cause: Cause,
  { container, askerName }: ReceiptView,
): string {
  // A read came before it, so its sender has taken reading from themselves.
  if (cause === 'not-readable' && (kind === 'change' || kind === 'remove'))
    return `Sent. ${askerName ?? 'You'} can no longer see ${containerOf(access, container)}, so I can’t confirm it.`
  if (cause === 'not-listed')
    return 'Monitoring no longer lists them, so nothing was sent. Look there.'
  const sent = cause === 'stopped' ? 'may have gone out' : 'went out'
  return `The request ${sent}, but ${causeWords[cause]}. Check in monitoring before trying again. I won’t resend it.`
}

/** “✅ Granted”; of several people, “2 of 3 granted”. */
export function endWords(kind: AccessKind, results: readonly Result[]): string {
  const [only] = results
  return results.length === 1 && only !== undefined
    ? `${signOf(only.outcome)} ${outcomeWords(kind, only.outcome)}`
    : `${results.filter(isGranted).length} of ${results.length} ${deeds[kind]}`
}

/** Outcomes, a line each: “⛔ dave@example.com: monitoring says no”; and why, and what to do, once. */
export function whatBecame(access: Access, results: readonly Result[], view: ReceiptView) {
  const below = new Set<string>()
  const each = results.map((one) => {
    const isOne = results.length === 1
    const [first, own = '', ...more] = saidOf(access, one, view, isOne)
    for (const sentence of isOne ? [own, ...more] : more) below.add(sentence)
    const news = one.outcome.kind === 'not-sent' && !isOne ? 'not sent' : first
    const whom = called(one)
    const line = news.includes(whom) ? news : [whom, news].filter(Boolean).join(': ')
    const sign = hasAlready(access, one) ? signOf({ kind: 'done' }) : signOf(one.outcome)
    return cut(`${sign} ${[line, !isOne && own].filter(Boolean).join('. ')}`, longestOutcome)
  })
  return { each, below: [...below].filter(Boolean) }
}

/** Headline and lines of a receipt. */
export function described(wanted: Access, results: readonly Result[], view: ReceiptView) {
  const { roles, container, askerName } = view
  // What somebody had before was read for the asker alone.
  const isOwn = askerName === undefined
  const access = isOwn ? wanted : { ...wanted, people: publicly(results) }
  const { each, below: why } = whatBecame(access, results, view)
  const mayEnd = results.some(({ outcome: { kind } }) => kind === 'done' || kind === 'uncertain')
  const whose = isOwn ? 'your' : `${askerName}’s`
  const until = mayEnd && untilLine(access, view.endsAt, whose)
  const isUnseen = results.some(({ outcome: one }) => one.kind === 'done' && one.on === undefined)
  const unseen =
    'Monitoring doesn’t show them to you yet. If it still doesn’t at that time, I can’t take it back, and say so.'
  const isLost = until && isOwn && access.kind === 'add-user' && isUnseen
  const below: readonly Line[] = [...(until ? [until] : []), ...(isLost ? [unseen] : []), ...why]
  const [only] = results.length === 1 ? results : []
  const isSo = only !== undefined && hasAlready(access, only)
  const end = isSo ? '✅ Already so' : endWords(access.kind, results)
  const headline = (news: string) => `${end}: ${news}`
  if (only === undefined)
    return {
      headline: headline(accessLine(access, roles, container, true)),
      lines: [together(each), ...below],
    }
  const whole = together([accessLine(access, roles, container)])
  if (!isGranted(only))
    return { headline: headline(saidOf(access, only, view, true)[0]), lines: [whole, ...below] }
  const hasFlags = access.permissions.length + (access.takes ?? []).length > 0
  const changed =
    access.kind === 'change' && isOwn && hasFlags ? [together(changeWords(access))] : []
  return { headline: headline(grantedWords(access, only, view)), lines: [...changed, ...below] }
}

/** “dave@example.com is now Responder on Customer 1 (12) · member”. */
function grantedWords(access: Access, result: Result, { roles, container }: ReceiptView): string {
  const { kind, permissions, takes = [], member } = access
  const [whom, where] = [called(result), containerOf(access, container)]
  if (kind === 'remove') return `${whom} is no longer on ${where}`
  if (kind === 'uninvite') return `the invitation of ${whom} to ${where}`
  if (kind === 'invite')
    return [`${whom} to ${where}, as ${accessName(permissions, roles)}`, ...extrasOf(access)].join(
      ' · ',
    )
  if (kind === 'extend') return `${whom} keeps ${accessName(permissions, roles)} on ${where}`
  if (kind === 'change' && permissions.length + takes.length === 0)
    return `${whom} is ${member ? 'now' : 'no longer'} a member of ${where}`
  if (kind === 'change' && result.there === undefined)
    return [`${whom} on ${where}`, ...changeWords(access)].join(' · ')
  const after = kind === 'change' && result.there ? flagsAfter(access, result.there) : permissions
  const is = after.length === 0 || isRole(after, roles) ? 'is now' : 'now has'
  const name = after.length === 0 && kind === 'add-user' ? '' : ` ${accessName(after, roles)}`
  return [`${whom} ${is}${name} on ${where}`, ...(kind === 'change' ? [] : extrasOf(access))].join(
    ' · ',
  )
}
