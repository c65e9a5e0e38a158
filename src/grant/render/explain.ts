// Explains what became of people: a headline for one, a line for each of several; and below, why it is so and what to do, each
// thing once, whomever it concerns. Pure; raw text.
import {
  type Cause,
  endingCodes,
  type NotDoneCode,
  notDoneCodes,
  type Sight,
  stopped,
} from '../../send/outcome.ts'
import { causeWords, outcomeWords, refusals, signOf } from '../../send/words.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { type Access, flagsWith, hasCode, isLacking, type Result, type Seen } from '../access.ts'
import { flags } from '../flags.ts'
import { type Roles, roleOf, roleTitle } from '../roles.ts'
import { accessName, containerOf } from './access.ts'

export interface ReceiptView {
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
  /** Whose token it was, raw, where everybody in the channel reads it; missing where only they do. */
  readonly askerName?: string | undefined
}

/** Of who is not certain: behind an address among several, and as a sentence. Who and why stands above. */
const sights: Readonly<Record<Sight, readonly [brief: string, sentence: (who: string) => string]>> = {
  absent: [
    'not on the container yet',
    (who) =>
      `So far, monitoring doesn’t list ${who} there. The request may still take effect, so look again before you send another.`,
  ],
  unlisted: [
    'not listed',
    (who) => `So far, monitoring doesn’t list ${who} there, but it doesn’t list everyone.`,
  ],
  otherwise: [
    'listed, but not as you asked',
    (who) => `So far, monitoring lists ${who} there, but not as you asked.`,
  ],
  unread: [
    'check in monitoring',
    () => 'I couldn’t read who is on it, which needs READ. Look again in a moment, or check in monitoring.',
  ],
  off: ['check in monitoring', () => ''],
}

/** Each thing once that the list of people showed of who is not certain. */
export function sightLines(results: readonly Result[]): readonly string[] {
  const who = results.length === 1 ? 'them' : 'some of them'
  const seen = new Set(results.flatMap(({ saw }) => saw ?? []))
  return [...seen].map((saw) => sights[saw][1](who)).filter(Boolean)
}

/** For one person: “Granted: dave@example.com is now Responder on Customer 1 (12)”. */
export function outcomeLine(access: Access, result: Result, view: ReceiptView): string {
  return `${capitalised(outcomeWords[result.outcome.kind])}: ${newsOf(access, result, view)}`
}

function newsOf(access: Access, { email, outcome, has }: Result, view: ReceiptView): string {
  const { roles, askerName } = view
  const permissions = flagsWith(access)
  const where = containerOf(access, view.container)
  switch (outcome.kind) {
    case 'done': {
      // What somebody had before is for whoever's token showed it.
      if (access.there !== undefined && askerName !== undefined) {
        const added = [...access.permissions, ...(access.member ? ['member'] : [])]
        return `${email} now has ${added.join(', ')} on ${where}`
      }
      const role = permissions.length === 0 ? undefined : roleOf(permissions, roles)
      if (role !== undefined && outcome.on !== 'unsaid')
        return `${email} is now ${roleTitle(role)} on ${where}`
      const how = permissions.length === 0 ? ', for dashboards only' : asWords(permissions, roles)
      return `${email} is now on ${where}${how}`
    }
    case 'not-done':
      if (has === undefined || outcome.code !== 'bad-request')
        return refusals[outcome.code].because(whose(view), where)
      return has === 'not-seen'
        ? `I can’t see ${email} on ${where}`
        : `${email} is ${seenWords(has, `on ${where}`, roles)}`
    case 'uncertain':
      return access.there === undefined
        ? `${email} may or may not be on ${where}`
        : `${email} may or may not have ${accessName(permissions, roles)} on ${where}`
    case 'not-sent':
      return 'I was stopped before I sent anything'
    default:
      return outcome satisfies never
  }
}

/** For one of several, with its sign. */
export function personLine(result: Result, { roles }: ReceiptView): string {
  const { email, outcome, has, saw = 'unread' } = result
  const said = `${signOf(outcome)} ${email}`
  switch (outcome.kind) {
    case 'done':
      return outcome.on === 'unsaid' ? `${said}: on the container now` : said
    case 'not-done': {
      const isOn = has === 'not-seen' ? 'I can’t see them on it' : has && seenWords(has, 'on it', roles)
      return `${said}: ${reasonOf(result) ?? isOn ?? refusals[outcome.code].short}`
    }
    case 'uncertain':
      return `${said}: not certain, ${sights[saw][0]}`
    case 'not-sent':
      return `${said}: not sent`
    default:
      return outcome satisfies never
  }
}

/** “already on it, as Viewer”. @param where - “on it”, “on Customer 1 (12)”. */
function seenWords({ permissions, inherit }: Seen, where: string, roles: Roles): string {
  return `already ${where}${inherit ? ' through another container' : ''}${asWords(permissions, roles)}`
}

/** “, as Viewer”, “, with READ, API”. */
function asWords(permissions: readonly string[], roles: Roles): string {
  const known = flags.filter((flag) => permissions.includes(flag))
  if (known.length === 0) return ''
  const role = roleOf(known, roles)
  return role === undefined ? `, with ${known.join(', ')}` : `, as ${roleTitle(role)}`
}

/** Why it is so, and what to do. Of several, each sentence says whom it is about. */
export function explain(access: Access, results: readonly Result[], view: ReceiptView): readonly string[] {
  const [first] = results
  const only = results.length === 1 ? first : undefined
  const about = (whom: string, sentence: string) => (only ? sentence : `${whom}: ${lowered(sentence)}`)
  const unexplained = results.filter((one) => hasCode([one], 'bad-request') && one.reason === undefined)
  const unseen = unexplained.filter(({ has }) => has === 'not-seen')
  const unknown = unexplained.filter(({ has }) => has === undefined)
  const codes = notDoneCodes.filter((code) => code !== 'bad-request' && hasCode(results, code))
  const isUnsaid = results.some(({ outcome }) => outcome.kind === 'done' && outcome.on === 'unsaid')
  // Of one whom the list doesn't have, what was seen says it all.
  const unsure = results.filter(({ saw }) => !(only && saw === 'absent'))
  const causes = unsure.flatMap(({ outcome }) => (outcome.kind === 'uncertain' ? [outcome.cause] : []))
  const lines = [
    ...(only ? reasonLines(results) : []),
    unseen.length > 0 && about('Where I can’t see somebody', readingsOf(unseen, view, access)),
    unknown.length > 0 && about('Where monitoring says no (400)', readingsOf(unknown, view, access)),
    only && seenLine(access, only, view),
    ...codes.map((code) => afterRefusal(access, code, view, only !== undefined)),
    isUnsaid &&
      about('Where it says “on the container now”', 'Monitoring lists them, but doesn’t say who added them.'),
    causes.length > 0 && about('Where it’s not certain', uncertainWords(causes, view)),
    results.some(({ outcome }) => outcome.kind === 'not-sent') && whyNotSent(results),
    ...sightLines(results),
  ]
  return lines.flatMap((line) => line || [])
}

/** What somebody has who was refused, and why nothing can be added; what else there is to do is a button. */
function seenLine(access: Access, { has }: Result, { roles }: ReceiptView): string | undefined {
  if (has === undefined || has === 'not-seen') return undefined
  if (has.inherit) return 'They come from another container: change them there, in monitoring.'
  if (!isLacking(access, has)) return 'They have all of that already.'
  const lost = access.there?.permissions.filter((flag) => !has.permissions.includes(flag)) ?? []
  if (lost.length === 0) return undefined
  return `They are on it${asWords(has.permissions, roles)} now. Gone since I showed you: ${lost.join(', ')}.`
}

/** What the service said of people, for whose token it was alone. Raw. */
export function reasonLines(results: readonly Result[]): readonly string[] {
  const isOne = results.length === 1
  const said = results.flatMap((result) => {
    const reason = reasonOf(result)
    return reason === undefined ? [] : [isOne ? `Monitoring says: ${reason}` : `${result.email}: ${reason}`]
  })
  return isOne || said.length === 0 ? said : ['Monitoring says:', ...said]
}

/** What to do after a refusal that is about the asker, the container or the moment; of several, why first. */
function afterRefusal(access: Access, code: NotDoneCode, view: ReceiptView, isOne: boolean): string {
  const { because, toDo } = refusals[code]
  const isOwn = code === 'refused' && view.askerName === undefined
  const next = isOwn ? 'Connect again with /alert connect, then try again.' : toDo
  if (isOne) return next
  const why = because(whose(view), containerOf(access, view.container))
  if (!endingCodes.some((one) => one === code)) return `Where ${why}: ${lowered(next)}`
  // A name at its beginning stays as it is.
  return `${why.startsWith(whose(view)) && view.askerName ? why : capitalised(why)}. ${next}`.trim()
}

/** What a 400 can mean for these people, which the service does not tell apart. */
function readingsOf(refused: readonly Result[], { askerName }: ReceiptView, { there }: Access): string {
  const [first] = refused
  const address = refused.length === 1 ? 'this address' : 'the address'
  const flag =
    askerName === undefined
      ? 'you asked for a flag you don’t have'
      : `${cut(askerName, longestName)} lacks one of these flags`
  if (first?.has === 'not-seen') {
    return `Monitoring may not know ${address}, may know it twice, or may hide it from you; or ${flag}.`
  }
  // Of somebody who is there, nothing else was sent that could be wrong.
  if (there !== undefined) return `Perhaps ${flag}.`
  return `They may already be on it, monitoring may not know ${address} or may know it twice, or ${flag}.`
}

function uncertainWords(causes: readonly Cause[], { askerName }: ReceiptView): string {
  const sent = causes.includes(stopped.cause) ? 'may have gone out' : 'went out'
  const reasons = [...new Set(causes)].map((cause) => causeWords[cause]).join(', or ')
  const who = askerName === undefined ? 'you try' : 'anybody tries'
  return `The request ${sent}, but ${reasons}. Check in monitoring before ${who} again. I won’t resend it.`
}

function whyNotSent(results: readonly Result[]): string {
  if (results.length === 1) return 'Nothing was changed.'
  return endingCodes.some((code) => hasCode(results, code))
    ? 'The rest wasn’t sent: monitoring would have refused it too.'
    : 'I was stopped before I got to the rest, so nothing was sent for them.'
}

const longestReason = 200

/** The service's own words, for whose token it was alone, quoted; nothing in them looks like a token. */
function reasonOf({ reason }: Result): string | undefined {
  return reason === undefined ? undefined : `“${cut(withoutSecrets(reason), longestReason)}”`
}

const longestName = 80

function whose({ askerName }: ReceiptView): string {
  return askerName === undefined ? 'your' : `${cut(askerName, longestName)}’s`
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
