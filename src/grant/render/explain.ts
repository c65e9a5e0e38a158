// Explains what became of a access: a headline for one person, a line for each of several, and below why it is so and what
// to do. Pure; raw text.
import { endingCodes, type Look, type NotDoneCode, type SendOutcome, stopped } from '../../send/outcome.ts'
import { causeWords, outcomeWords, refusals, saysNo, signOf } from '../../send/words.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { type Access, hasCode, type Result } from '../access.ts'
import { flags } from '../flags.ts'
import { type Roles, roleOf, roleTitle } from '../roles.ts'
import { containerOf } from './access.ts'
import { type LookByEmail, sightWords } from './look.ts'

/**
 * Who reads it: everybody in the channel, or the asker themselves. What only the asker may know has no place with
 * anybody else.
 */
export type ReceiptReader =
  | { readonly is: 'channel'; readonly askerName: string }
  | {
      readonly is: 'asker'
      /** By address: why the service refused it, in its own words. */
      readonly reasons?: ReasonByEmail | undefined
      /** By address: what their token has shown of those whom the service refused with a 400. */
      readonly seen?: SeenByEmail | undefined
      /** What their token has shown of those who are not certain. */
      readonly looks?: LookByEmail | undefined
    }

/** Undefined for somebody of whom the service gave none; who is missing was refused earlier, or by another request. */
export type ReasonByEmail = ReadonlyMap<string, string | undefined>

/** The flags that somebody has on the container. Missing where that cannot be told. */
export type SeenByEmail = ReadonlyMap<string, readonly string[] | 'not-seen'>

export interface ReceiptView {
  readonly reader: ReceiptReader
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
}

/** Who reads it, and how the container is called there. */
type Eyes = Pick<ReceiptView, 'reader' | 'container' | 'roles'>

/** “Granted: dave@example.com is now Responder on Customer 1 (12)”. */
export function outcomeLine(access: Access, email: string, outcome: SendOutcome, view: ReceiptView): string {
  return `${capitalised(outcomeWords[outcome.kind])}: ${newsOf(access, email, outcome, view)}`
}

function newsOf(access: Access, email: string, outcome: SendOutcome, view: Eyes): string {
  const { containerId, permissions } = access
  const where = containerOf(access, view.container)
  switch (outcome.kind) {
    case 'done': {
      const role = permissions.length === 0 ? undefined : roleOf(permissions, view.roles)
      const how = permissions.length === 0 ? '' : ' with these flags'
      if (outcome.on === 'unsaid') return `${email} is on container ${containerId}${how} now`
      return `${email} is now ${role === undefined ? '' : `${roleTitle(role)} `}on ${where}`
    }
    case 'not-done':
      return because(access, email, outcome.code, view)
    case 'uncertain':
      return `${email} may or may not be on ${where}`
    case 'not-sent':
      return 'Bellhop was stopped before it sent anything'
    default:
      return outcome satisfies never
  }
}

function because(access: Access, email: string, code: NotDoneCode, view: Eyes): string {
  const { reader, roles } = view
  const where = containerOf(access, view.container)
  if (code !== 'bad-request') return refusals[code].because(whose(reader), where)
  const seen = seenOf(email, reader)
  if (seen === 'not-seen') return `I can’t see ${email} on ${where}`
  if (seen !== undefined) return `${email} is already on ${where}${asWords(seen, roles)}`
  return isUnexplained(email, reader) ? refusals[code].because('', where) : saysNo
}

function seenOf(email: string, reader: ReceiptReader): readonly string[] | 'not-seen' | undefined {
  return reader.is === 'asker' ? reader.seen?.get(email) : undefined
}

/** “, as Viewer”, “, with READ, API”. */
function asWords(permissions: readonly string[], roles: Roles): string {
  const known = flags.filter((flag) => permissions.includes(flag))
  if (known.length === 0) return ''
  const role = roleOf(known, roles)
  return role === undefined ? `, with ${known.join(', ')}` : `, as ${roleTitle(role)}`
}

function whose(reader: ReceiptReader): string {
  return reader.is === 'asker' ? 'your' : `${cut(reader.askerName, 80)}’s`
}

const nothingChanged = 'Nothing was changed.'
const unsaid = 'Monitoring lists them, but doesn’t say who added them.'

/** Why it is so for one person, and what to do, below their headline; nothing for a grant that was made. */
export function explainOne(access: Access, email: string, outcome: SendOutcome, view: Eyes): string {
  const { reader } = view
  if (outcome.kind === 'done') return outcome.on === 'unsaid' ? unsaid : ''
  if (outcome.kind === 'not-sent') return nothingChanged
  if (outcome.kind === 'uncertain') {
    // What was seen of them says it all.
    if (lookOf(email, reader)?.saw === 'absent') return ''
    return `${wentOut([outcome.cause])}. ${checkFirst(access, view)}`
  }
  const { code } = outcome
  const said = reader.is === 'asker' ? reasonLines([email], reader.reasons) : []
  const next =
    code === 'bad-request' ? afterRefusal(access, email, view, said.length > 0) : whatNext(code, view)
  return [...said, ...next].join('\n')
}

function lookOf(email: string, reader: ReceiptReader): Look | undefined {
  return reader.is === 'asker' ? reader.looks?.get(email) : undefined
}

/** What the service said of these people, for whose token it was alone. Raw. */
export function reasonLines(
  emails: readonly string[],
  reasons: ReasonByEmail | undefined,
): readonly string[] {
  const isOne = emails.length === 1
  const said = emails.flatMap((email) => {
    const reason = reasonFor(email, { is: 'asker', reasons })
    return reason === undefined ? [] : [isOne ? `Monitoring says: ${reason}` : `${email}: ${reason}`]
  })
  return isOne || said.length === 0 ? said : ['Monitoring says:', ...said]
}

/** What is to be said once of several people, whomever it concerns. */
export function explainAll(access: Access, results: readonly Result[], view: ReceiptView): readonly string[] {
  const { reader } = view
  const refused = results.filter((one) => hasCode([one], 'bad-request')).map(({ email }) => email)
  const unexplained = refused.filter((email) => reasonFor(email, reader) === undefined)
  const unseen = unexplained.filter((email) => seenOf(email, reader) === 'not-seen')
  const unknown = unexplained.filter((email) => seenOf(email, reader) === undefined)
  // About the asker or the container.
  const codes = endingCodes.filter((code) => hasCode(results, code))
  const causes = results.flatMap(({ outcome }) => (outcome.kind === 'uncertain' ? [outcome.cause] : []))
  return [
    ...(unseen.length > 0
      ? [`Where I can’t see somebody: ${lowered(readingsOf(access, unseen, view, true))}`]
      : []),
    ...(unknown.length > 0
      ? [`Where monitoring says no (400): ${lowered(readingsOf(access, unknown, view, false))}`]
      : []),
    ...(hasCode(results, 'busy') ? [`Where monitoring is busy: ${lowered(refusals.busy.toDo)}`] : []),
    ...(hasCode(results, 'unreachable')
      ? [`Where Bellhop couldn’t reach monitoring: ${lowered(refusals.unreachable.toDo)}`]
      : []),
    ...(results.some(({ outcome }) => outcome.kind === 'done' && outcome.on === 'unsaid')
      ? ['Where it says “on the container now”: monitoring lists them, but doesn’t say who added them.']
      : []),
    ...(causes.length > 0
      ? [`Where it’s not certain: ${lowered(wentOut(causes))}. ${checkFirst(access, view)}`]
      : []),
    ...codes.map((code) =>
      [
        beginning(refusals[code].because(whose(reader), containerOf(access, view.container)), reader),
        ...whatNext(code, view),
      ].join(' '),
    ),
    ...(results.some(({ outcome }) => outcome.kind === 'not-sent') ? [whyNotSent(results)] : []),
  ]
}

/** One of several, with its sign. */
function lineFor({ email, outcome }: Result, { reader, roles }: ReceiptView): string {
  const said = `${signOf(outcome)} ${email}`
  switch (outcome.kind) {
    case 'done':
      return outcome.on === 'unsaid' ? `${said}: on the container now` : said
    case 'not-done':
      return `${said}: ${reasonFor(email, reader) ?? lineOf(email, outcome.code, reader, roles)}`
    case 'uncertain': {
      return `${said}: not certain, ${sightWords[lookOf(email, reader)?.saw ?? 'unread']}`
    }
    case 'not-sent':
      return `${said}: not sent`
    default:
      return outcome satisfies never
  }
}

export function linesOf(results: readonly Result[], view: ReceiptView): readonly string[] {
  return results.map((result) => lineFor(result, view))
}

function lineOf(email: string, code: NotDoneCode, reader: ReceiptReader, roles: Roles): string {
  const seen = code === 'bad-request' ? seenOf(email, reader) : undefined
  if (seen === undefined) return refusals[code].short
  return seen === 'not-seen' ? 'I can’t see them on it' : `already on it${asWords(seen, roles)}`
}

/** What follows from a refusal. */
function whatNext(code: NotDoneCode, view: Pick<Eyes, 'reader'>): readonly string[] {
  const { toDo } = refusals[code]
  const isOwn = code === 'refused' && view.reader.is === 'asker'
  return [
    ...(toDo === '' ? [] : [toDo]),
    ...(isOwn ? ['Connect again with /alert connect, then try again.'] : []),
  ]
}

/** What to do after a refusal (400), as far as the list of people shows it. @param isExplained - The service said why. */
function afterRefusal(access: Access, email: string, view: Eyes, isExplained: boolean): readonly string[] {
  const seen = seenOf(email, view.reader)
  if (seen !== undefined && seen !== 'not-seen') return ['Change their flags in monitoring.']
  return isExplained ? [] : [readingsOf(access, [email], view, seen === 'not-seen')]
}

/** What a 400 can mean for these people, which the service does not tell apart. */
function readingsOf(access: Access, refused: readonly string[], view: Eyes, isSeen: boolean): string {
  const { reader } = view
  const isOne = refused.length === 1
  const address = isOne ? 'this address' : 'the address'
  const flag =
    reader.is === 'asker'
      ? 'you asked for a flag you don’t have'
      : `${cut(reader.askerName, 80)} lacks one of these flags`
  if (isSeen) {
    return `Monitoring may not know ${address}, may know it twice, or may hide it from you; or ${flag}.`
  }
  const who = isOne ? refused[0] : 'They'
  return `${who} may already be on ${containerOf(access, view.container)}, monitoring may not know ${address} or may know it twice, or ${flag}.`
}

function wentOut(causes: readonly (keyof typeof causeWords)[]): string {
  const sent = causes.includes(stopped.cause) ? 'may have gone out' : 'went out'
  const reasons = [...new Set(causes)].map((cause) => causeWords[cause]).join(', or ')
  return `The request ${sent}, but ${reasons}`
}

function checkFirst(access: Access, view: Eyes): string {
  const who = view.reader.is === 'asker' ? 'you try' : 'anybody tries'
  return `Check ${containerOf(access, view.container)} in monitoring before ${who} again. Bellhop won’t resend it.`
}

function whyNotSent(results: readonly Result[]): string {
  return endingCodes.some((code) => hasCode(results, code))
    ? 'The rest wasn’t sent: monitoring would have refused it too.'
    : 'Bellhop was stopped before it got to the rest, so nothing was sent for them.'
}

const longestReason = 200

/** The service's own words, for whose token it was alone, quoted; nothing in them looks like a token. */
function reasonFor(email: string, reader: ReceiptReader): string | undefined {
  const reason = reader.is === 'asker' ? reader.reasons?.get(email) : undefined
  return reason === undefined ? undefined : `“${cut(withoutSecrets(reason), longestReason)}”`
}

/** The service is known to have said no more than its status: nobody else is told, and it is not stored. */
function isUnexplained(email: string, reader: ReceiptReader): boolean {
  const reasons = reader.is === 'asker' ? reader.reasons : undefined
  return reasons?.has(email) === true && reasons.get(email) === undefined
}

/** A sentence. A name at its beginning stays as it is. */
function beginning(sentence: string, reader: ReceiptReader): string {
  const isName = reader.is === 'channel' && sentence.startsWith(whose(reader))
  return `${isName ? sentence : capitalised(sentence)}.`
}

export function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
