// Words for an access, as a name, a line or in full; and for its outcome, why, and what to do. Pure; raw text.
import { type AccessKind, accessKinds } from '../../send/access-kinds.ts'
import { type Cause, causeWords, refusals, type SendOutcome, signOf } from '../../send/outcome.ts'
import { type Line, words } from '../../slack/outbound/message.ts'
import { cut, inList } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { type Access, cantBeAdded, isGranted, nameOf, publicly, type Result } from '../access.ts'
import { accessName, changeWords, isRole } from '../access-name.ts'
import { hadWords, kindWords } from '../kind-words.ts'
import {
  allowedWords,
  asProvider,
  flagMeanings,
  inOrder,
  type Roles,
  sensitiveFlags,
} from '../roles.ts'
import { endsAnyway, untilLine } from './lasting.ts'

/**
 * “Responder on Customer 1 (12) for 2 people (…) · member”: names all people, and the role or all flags.
 * @param isBrief - True if the people are listed below this line, which then only counts them or leaves them out.
 */
export function accessLine(
  access: Access,
  roles: Roles,
  container: string,
  isBrief = false,
): string {
  const { kind, people } = access
  const all = people.map(nameOf).join(', ')
  const count = `${people.length} people`
  const named = people.length === 1 ? all : `${count} (${all})`
  return kindWords[kind].line(access, {
    roles,
    where: container,
    whom: isBrief ? count : named,
    isBrief,
  })
}

/** Access of people who are removed, a line each; empty for other kinds. Raw. */
export function lostWords({ kind, people }: Access, roles: Roles): readonly string[] {
  return kind === 'remove' ? hadWords(people, roles) : []
}

/** Warnings of what one can’t undo alone, a line each. @param whose - The asker, as “your” or “Bob Baker’s”. */
export function warningWords({ warnings = [] }: Access, whose: string): readonly string[] {
  const sentences = {
    own: `This is ${whose} own access.`,
    'last-manager': 'After this, nobody I can see there has CONTAINER_ACCESS.',
    'gave-for-a-time':
      'Access that this person gave there for a time is taken back with their account. After this, I can’t.',
  }

  return warnings.map((one) => (typeof one === 'string' ? sentences[one] : one.said))
}

const longestNamed = 600

/** Reasons for a second look at an access, a line each; empty if there are none. */
export function cautions(access: Access, roles: Roles): readonly string[] {
  const { kind, people, permissions, takesOver = [], stillEnds = [], ends } = access
  const isKept = takesOver.length > 0 && ends === undefined
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag))
  const isBare = permissions.length === 0 && (kind === 'add-user' || kind === 'invite')
  const odd = people.flatMap(({ email }) => (/[^\x21-\x7e]/.test(email) ? email : []))
  const named = cut(odd.join(', '), longestNamed)
  const lines = [
    named !== '' &&
      `Careful: some of these letters aren’t a to z, even if they look like it: ${named}`,
    sensitive.length > 0 && 'Sensitive flags:',
    ...sensitive.map((flag) => `• ${flag}: ${flagMeanings[flag]}`),
    ...(kind === 'change' ? changeWords(access) : []),
    isBare && 'No flags: they can open dashboards only.',
    isKept && `No longer ends by itself: ${accessName(takesOver, roles)}.`,
    stillEnds.length > 0 && `Still ends by itself: ${accessName(stillEnds, roles)}.`,
  ]

  return lines.filter((line) => line !== false)
}

/** All that an access allows, for somebody who decides on it: cautions first, then its other flags, in the form’s words. */
export function inFull(access: Access, roles: Roles): readonly string[] {
  const { kind, permissions } = access
  const others = permissions.filter((flag) => !sensitiveFlags.has(flag))
  if (others.length === 0 || kind === 'change') return cautions(access, roles)

  const isAll = others.length === permissions.length

  return [...cautions(access, roles), `${allowedWords(others)}${isAll ? ' · none sensitive' : ''}`]
}

/** Joins lines into one text element: a message cuts a long line that is a string, but never an element. */
export function inOnePiece(lines: readonly string[]): Line {
  return lines.length === 0 ? [] : [words(lines.join('\n'))]
}

export interface ReceiptView {
  readonly roles: Roles
  /** “Customer 1 (12)”, or “container 12” if the sender’s token hasn’t shown the name. Raw. */
  readonly container: string
  /** Sign-in providers, as the service spells them. */
  readonly authProviders?: readonly string[] | undefined
  /** Owner of the token, raw, if everybody in the channel reads the receipt; missing if only the owner does. */
  readonly askerName?: string | undefined
  /** Time when the access ends, in milliseconds since 1970; missing if it is for good, or not sent yet. */
  readonly endsAt?: number | undefined
}

const longestName = 80
const longestReason = 200
/** Most characters of one person’s outcome: enough for the longest address. Twenty of them fit in a message. */
const longestOutcome = 400

/**
 * One person’s outcome in words. `words` follow the sign, such as ✅; they may be empty. `own` is about this person alone.
 * `below` has the reason and what to do; if several people have the same, it is shown once.
 */
function saidOf(
  access: Access,
  result: Result,
  view: ReceiptView,
): readonly [words: string, own?: string | undefined, ...below: string[]] {
  const { outcome, has, hasAll, isEnding, lacks = [], reason } = result
  const whom = nameOf(result)
  const where = view.container

  switch (outcome.kind) {
    case 'done':
      if (outcome.ground === 'already') return ['', '', 'Nothing was sent.']
      return [
        '',
        outcome.ground === 'unattributed'
          ? 'Monitoring lists them, but doesn’t say who added them.'
          : '',
      ]
    case 'uncertain':
      return [
        `${whom} may or may not be ${accessKinds[access.kind].perhapsDone} ${where}`,
        uncertainWords(outcome.cause),
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
        const lacking = `${whose} token lacks ${inList(lacks)} on ${where}`
        return [lacking, said, 'Somebody who has all of that can do it.']
      }

      // The service’s words are better than guesses.
      if (has === undefined) return [why, said, said === undefined ? toDo : '']
      if (has === 'not-seen')
        return [`I can’t see ${whom} on ${where}`, said, said ? '' : unknownWords(view)]

      const from = has.inherit ? ' through another container' : ''
      const already = `${whom} is already on ${where}${from}${asWords(has.permissions, view.roles)}`
      const next = has.inherit ? 'To change them, go to that container in monitoring.' : ''
      const all = hasAll ? 'They have all of that already.' : ''

      return [already, said ?? all, hasAll && isEnding ? endsAnyway : next]
    }
    default:
      return outcome satisfies never
  }
}

function unknownWords({ authProviders = [] }: ReceiptView): string {
  const others = authProviders.filter((one) => one !== 'Password')
  const ways = others.map((one) => `“via ${asProvider(one)}”`)
  const orSo = `; if they sign in with ${inList(others, 'or')}, add ${inList(ways, 'or')}`

  return `Monitoring probably has no account with this address. Check it${others.length > 0 ? orSo : ''}.`
}

/** “, as Viewer”, “, with READ and API”; empty if somebody has no flag that Bellhop knows. */
function asWords(permissions: readonly string[], roles: Roles): string {
  if (inOrder(permissions).length === 0) return ''
  return `${isRole(permissions, roles) ? ', as' : ', with'} ${accessName(permissions, roles)}`
}

function uncertainWords(cause: Cause): string {
  if (cause === 'not-listed')
    return 'Monitoring no longer lists them, so nothing was sent. Look there.'

  const sent = cause === 'stopped' ? 'may have gone out' : 'went out'

  return `The request ${sent}, but ${causeWords[cause]}. Check in monitoring before trying again. I won’t resend it.`
}

/** “Granted”, “Not removed”, “Not certain”. */
export function outcomeWords(kind: AccessKind, outcome: SendOutcome): string {
  if (outcome.kind === 'done' && outcome.ground === 'already') return 'Already so'

  const { deed } = accessKinds[kind]
  const words = {
    done: `${deed.charAt(0).toUpperCase()}${deed.slice(1)}`,
    'not-done': `Not ${deed}`,
    uncertain: 'Not certain',
    'not-sent': 'Not sent',
  }

  return words[outcome.kind]
}

/** “✅ Granted”; of several people, “2 of 3 granted”. */
export function endWords(kind: AccessKind, results: readonly Result[]): string {
  const [only] = results
  return results.length === 1 && only !== undefined
    ? `${signOf(only.outcome)} ${outcomeWords(kind, only.outcome)}`
    : `${results.filter(isGranted).length} of ${results.length} ${accessKinds[kind].deed}`
}

/** `each`: outcomes, a line each: “⛔ dave@example.com: monitoring says no”. `below`: why, and what to do, each once. */
export function whatBecame(access: Access, results: readonly Result[], view: ReceiptView) {
  const below = new Set<string>()
  const each = results.map((one) => {
    const isOne = results.length === 1
    const [first, own = '', ...more] = saidOf(access, one, view)

    for (const sentence of isOne ? [own, ...more] : more) below.add(sentence)
    const news = one.outcome.kind === 'not-sent' && !isOne ? 'not sent' : first
    const whom = nameOf(one)
    const line = news.includes(whom) ? news : [whom, news].filter(Boolean).join(': ')
    const sign = one.hasAll ? signOf({ kind: 'done' }) : signOf(one.outcome)

    return cut(`${sign} ${[line, !isOne && own].filter(Boolean).join('. ')}`, longestOutcome)
  })

  return { each, below: [...below].filter(Boolean) }
}

/** Headline and lines of a receipt. */
export function described(wanted: Access, found: readonly Result[], view: ReceiptView) {
  const { roles, container, askerName } = view
  // Others aren’t shown what somebody had before: that was read for the asker alone.
  const isOwn = askerName === undefined
  const results = isOwn ? found : publicly(found)
  const access = isOwn ? wanted : { ...wanted, people: results }
  const { each, below: why } = whatBecame(access, results, view)
  const mayEnd = results.some(({ outcome: { kind } }) => kind === 'done' || kind === 'uncertain')
  const whose = isOwn ? 'your' : `${askerName}’s`
  const until = mayEnd ? untilLine(access, view.endsAt, whose) : undefined
  const isUnseen = ({ outcome: one }: Result) => one.kind === 'done' && one.ground === undefined
  const unseen =
    'Monitoring doesn’t show them to you yet. If it still doesn’t at that time, I can’t take it back, and say so.'
  const isLost = until && isOwn && access.kind === 'add-user' && results.some(isUnseen)
  const below = [until, isLost ? unseen : undefined, ...why]

  const [only] = results.length === 1 ? results : []
  const end = only?.hasAll ? '✅ Already so' : endWords(access.kind, results)
  const headline = (news: string) => `${end}: ${news}`
  if (only === undefined)
    return {
      headline: headline(accessLine(access, roles, container, true)),
      lines: [inOnePiece(each), ...below],
    }

  const whole = inOnePiece([accessLine(access, roles, container)])
  if (!isGranted(only))
    return { headline: headline(saidOf(access, only, view)[0]), lines: [whole, ...below] }

  const hasFlags = access.permissions.length + (access.takes ?? []).length > 0
  const changed =
    access.kind === 'change' && isOwn && hasFlags ? [inOnePiece(changeWords(access))] : []

  const said = {
    roles,
    where: container,
    whom: nameOf(only),
  }
  const done = kindWords[access.kind].done(access, said, only)

  return { headline: headline(done), lines: [...changed, ...below] }
}
