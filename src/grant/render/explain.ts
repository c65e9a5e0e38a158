// Explains what became of people: a headline for one, a line for each of several; and below, why it is so and what to do, each
// thing once, whomever it concerns. Pure; raw text.

import type { ContainerPerson } from '../../monitor/client.ts'
import {
  endingCodes,
  type Look,
  type NotDoneCode,
  notDoneCodes,
  type SendOutcome,
  stopped,
} from '../../send/outcome.ts'
import { causeWords, outcomeWords, refusals, signOf } from '../../send/words.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { type Access, flagsWith, hasCode, isLacking, type Result } from '../access.ts'
import { flags } from '../flags.ts'
import { type Roles, roleOf, roleTitle } from '../roles.ts'
import { accessName, containerOf } from './access.ts'
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

export type ReasonByEmail = ReadonlyMap<string, string | undefined>

/** What somebody has on the container; `inherit`: through another one. */
export type Seen = Pick<ContainerPerson, 'permissions' | 'member' | 'inherit'>

/** Missing where that cannot be told. */
export type SeenByEmail = ReadonlyMap<string, Seen | 'not-seen'>

export interface ReceiptView {
  readonly reader: ReceiptReader
  readonly roles: Roles
  /** “Customer 1 (12)”, where the sender’s token has shown the name. Raw. */
  readonly container?: string | undefined
}

/** For one person: “Granted: dave@example.com is now Responder on Customer 1 (12)”. */
export function outcomeLine(access: Access, { email, outcome }: Result, view: ReceiptView): string {
  return `${capitalised(outcomeWords[outcome.kind])}: ${newsOf(access, email, outcome, view)}`
}

function newsOf(access: Access, email: string, outcome: SendOutcome, view: ReceiptView): string {
  const permissions = flagsWith(access)
  const where = containerOf(access, view.container)
  switch (outcome.kind) {
    case 'done': {
      // What somebody had before is for whoever's token showed it.
      if (access.there !== undefined && view.reader.is === 'channel') {
        const added = [...access.permissions, ...(access.member ? ['member'] : [])]
        return `${email} now has ${added.join(', ')} on ${where}`
      }
      const role = permissions.length === 0 ? undefined : roleOf(permissions, view.roles)
      if (role !== undefined && outcome.on !== 'unsaid')
        return `${email} is now ${roleTitle(role)} on ${where}`
      const how = permissions.length === 0 ? ', for dashboards only' : asWords(permissions, view.roles)
      return `${email} is now on ${where}${how}`
    }
    case 'not-done': {
      const seen = outcome.code === 'bad-request' ? seenOf(email, view.reader) : undefined
      if (seen === 'not-seen') return `I can’t see ${email} on ${where}`
      if (seen !== undefined) return `${email} is ${seenWords(seen, `on ${where}`, view.roles)}`
      return refusals[outcome.code].because(whose(view.reader), where)
    }
    case 'uncertain':
      return access.there === undefined
        ? `${email} may or may not be on ${where}`
        : `${email} may or may not have ${accessName(permissions, view.roles)} on ${where}`
    case 'not-sent':
      return 'I was stopped before I sent anything'
    default:
      return outcome satisfies never
  }
}

/** For one of several, with its sign. */
export function personLine({ email, outcome }: Result, { reader, roles }: ReceiptView): string {
  const said = `${signOf(outcome)} ${email}`
  switch (outcome.kind) {
    case 'done':
      return outcome.on === 'unsaid' ? `${said}: on the container now` : said
    case 'not-done': {
      const seen = seenOf(email, reader)
      const isOn = seen === 'not-seen' ? 'I can’t see them on it' : seen && seenWords(seen, 'on it', roles)
      return `${said}: ${reasonFor(email, reader) ?? isOn ?? refusals[outcome.code].short}`
    }
    case 'uncertain':
      return `${said}: not certain, ${sightWords[lookOf(email, reader)?.saw ?? 'unread']}`
    case 'not-sent':
      return `${said}: not sent`
    default:
      return outcome satisfies never
  }
}

/** What the list of people has shown of somebody whom the service refused, or whose access has changed meanwhile. */
export function seenOf(email: string, reader: ReceiptReader): Seen | 'not-seen' | undefined {
  return reader.is === 'asker' ? reader.seen?.get(email) : undefined
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

function lookOf(email: string, reader: ReceiptReader): Look | undefined {
  return reader.is === 'asker' ? reader.looks?.get(email) : undefined
}

/** Why it is so, and what to do. Of several, each sentence says whom it is about. */
export function explain(access: Access, results: readonly Result[], view: ReceiptView): readonly string[] {
  const { reader } = view
  const isOne = results.length === 1
  const about = (whom: string, sentence: string) => (isOne ? sentence : `${whom}: ${lowered(sentence)}`)
  const refused = results.filter((one) => hasCode([one], 'bad-request'))
  const unexplained = refused.filter(({ email }) => reasonFor(email, reader) === undefined)
  const unseen = unexplained.filter(({ email }) => seenOf(email, reader) === 'not-seen')
  const unknown = unexplained.filter(({ email }) => seenOf(email, reader) === undefined)
  const codes = notDoneCodes.filter((code) => code !== 'bad-request' && hasCode(results, code))
  const isUnsaid = results.some(({ outcome }) => outcome.kind === 'done' && outcome.on === 'unsaid')
  // Of one whom the list doesn't have, what was seen says it all.
  const unsure = isOne ? results.filter(({ email }) => lookOf(email, reader)?.saw !== 'absent') : results
  const causes = unsure.flatMap(({ outcome }) => (outcome.kind === 'uncertain' ? [outcome.cause] : []))
  const lines = [
    ...(isOne && reader.is === 'asker' ? reasonLines(access.emails, reader.reasons) : []),
    unseen.length > 0 && about('Where I can’t see somebody', readingsOf(unseen, view, 'not-seen')),
    unknown.length > 0 && about('Where monitoring says no (400)', readingsOf(unknown, view, access.there)),
    isOne && seenLine(access, view),
    ...codes.map((code) => afterRefusal(access, code, view, isOne)),
    isUnsaid &&
      about('Where it says “on the container now”', 'Monitoring lists them, but doesn’t say who added them.'),
    causes.length > 0 && about('Where it’s not certain', `${wentOut(causes)}. ${checkFirst(view)}`),
    results.some(({ outcome }) => outcome.kind === 'not-sent') && whyNotSent(results),
  ]
  return lines.flatMap((line) => line || [])
}

/** What somebody has who was refused, and why nothing can be added; what else there is to do is a button. */
function seenLine(access: Access, { reader, roles }: ReceiptView): string | undefined {
  const seen = seenOf(access.emails[0] ?? '', reader)
  if (seen === undefined || seen === 'not-seen') return undefined
  if (seen.inherit) return 'They come from another container: change them there, in monitoring.'
  if (!isLacking(access, seen)) return 'They have all of that already.'
  const lost = access.there?.permissions.filter((flag) => !seen.permissions.includes(flag)) ?? []
  if (lost.length === 0) return undefined
  return `They are on it${asWords(seen.permissions, roles)} now. Gone since I showed you: ${lost.join(', ')}.`
}

/** What the service said of people, for whose token it was alone. Raw. */
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

/** What to do after a refusal that is about the asker, the container or the moment; of several, why first. */
function afterRefusal(access: Access, code: NotDoneCode, view: ReceiptView, isOne: boolean): string {
  const { reader } = view
  const { because, toDo } = refusals[code]
  const isOwn = code === 'refused' && reader.is === 'asker'
  const next = isOwn ? 'Connect again with /alert connect, then try again.' : toDo
  if (isOne) return next
  const why = because(whose(reader), containerOf(access, view.container))
  const isForAll = endingCodes.some((one) => one === code)
  return isForAll ? `${beginning(why, reader)} ${next}`.trim() : `Where ${why}: ${lowered(next)}`
}

/** What a 400 can mean for these people, which the service does not tell apart. */
function readingsOf(
  refused: readonly Result[],
  { reader }: ReceiptView,
  seen: 'not-seen' | Access['there'],
): string {
  const address = refused.length === 1 ? 'this address' : 'the address'
  const flag =
    reader.is === 'asker'
      ? 'you asked for a flag you don’t have'
      : `${cut(reader.askerName, 80)} lacks one of these flags`
  // Of somebody who is there, nothing else was sent that could be wrong.
  if (typeof seen === 'object') return `Perhaps ${flag}.`
  if (seen === 'not-seen') {
    return `Monitoring may not know ${address}, may know it twice, or may hide it from you; or ${flag}.`
  }
  return `They may already be on it, monitoring may not know ${address} or may know it twice, or ${flag}.`
}

function wentOut(causes: readonly (keyof typeof causeWords)[]): string {
  const sent = causes.includes(stopped.cause) ? 'may have gone out' : 'went out'
  const reasons = [...new Set(causes)].map((cause) => causeWords[cause]).join(', or ')
  return `The request ${sent}, but ${reasons}`
}

function checkFirst(view: ReceiptView): string {
  const who = view.reader.is === 'asker' ? 'you try' : 'anybody tries'
  return `Check in monitoring before ${who} again. I won’t resend it.`
}

function whyNotSent(results: readonly Result[]): string {
  if (results.length === 1) return 'Nothing was changed.'
  return endingCodes.some((code) => hasCode(results, code))
    ? 'The rest wasn’t sent: monitoring would have refused it too.'
    : 'I was stopped before I got to the rest, so nothing was sent for them.'
}

const longestReason = 200

/** The service's own words, for whose token it was alone, quoted; nothing in them looks like a token. */
function reasonFor(email: string, reader: ReceiptReader): string | undefined {
  const reason = reader.is === 'asker' ? reader.reasons?.get(email) : undefined
  return reason === undefined ? undefined : `“${cut(withoutSecrets(reason), longestReason)}”`
}

function whose(reader: ReceiptReader): string {
  return reader.is === 'asker' ? 'your' : `${cut(reader.askerName, 80)}’s`
}

/** A sentence. A name at its beginning stays as it is. */
function beginning(sentence: string, reader: ReceiptReader): string {
  const isName = reader.is === 'channel' && sentence.startsWith(whose(reader))
  return `${isName ? sentence : capitalised(sentence)}.`
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
