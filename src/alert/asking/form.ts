// Forms that look an alert up. Whether there is one is found out while the form is there, which closes when there is, and
// else stays with what was typed and the reason.
import { MonitorError } from '../../errors.ts'
import { endsAs, type RequestOutcome, requestNow } from '../../log/request.ts'
import type { From, Request, Submission } from '../../slack/guard/requests.ts'
import { type Person, personKey } from '../../slack/ids.ts'
import type { Place } from '../../slack/outbound/delivery.ts'
import { say, type View } from '../../slack/outbound/message.ts'
import { type Lookup, parseKey, tokenForKey } from '../input.ts'
import { webLink } from '../render/card.ts'
import { checkingKeyModal, keyCheckedModal, keyInput, lookupModal } from '../render/look-up-form.ts'
import { monitorSentence, noAlertInForm } from '../render/no-card.ts'
import type { AlertRoom } from '../room.ts'
import { meantBy } from './again.ts'

/** @param ks - The alert that the form begins with. */
export async function openLookUpForm(
  { settings, outbound }: Pick<AlertRoom, 'settings' | 'outbound'>,
  { asker, triggerId }: Pick<Request, 'asker' | 'triggerId'>,
  ks?: string,
): Promise<void> {
  const prefill = ks === undefined ? undefined : { typed: wordsFor(ks, settings) }
  const form = lookupModal(settings.alertUrl !== undefined, prefill)
  await outbound.in(asker.workspaceId).openView(triggerId, form)
}

/** The key as the field reads it: its link, where marks around it would be taken for somebody's own. */
function wordsFor(ks: string, settings: AlertRoom['settings']): string {
  const read = parseKey(ks, settings.alertUrl)
  const isRead = read.kind === 'look-up' && 'ks' in read && read.ks === ks
  return isRead ? ks : (webLink(settings, ks, undefined) ?? ks)
}

/** Why the card cannot be shown. */
interface Hindrance {
  /** One sentence or two, raw. */
  readonly problem: string
  readonly outcome: RequestOutcome
}

/** What a form asks for, and how it goes on. */
export interface Submitted {
  readonly lookup: Lookup
  /** Where the card goes, and what is to be said when the form is not there any more. */
  readonly place: Place
  /** The form as it was filled in. @param problem - Why it is there again, raw. */
  readonly again: (problem: string) => View
  /** Shows the card. Run when there is one, or when its asker has to connect an account first. */
  readonly show: (from: From) => Promise<void>
}

/** Answers a form whose key can be one. @throws What `show` throws, and what cannot be told in a form. */
export async function answerLookUpForm(
  room: AlertRoom,
  submission: Pick<Submission, 'asker' | 'viewId' | 'claim' | 'ack'>,
  { lookup, place, again, show }: Submitted,
): Promise<void> {
  const { asker } = submission
  const { isSeen, hindrance } = await room.answerForm(submission, checkingKeyModal(), async () => {
    const found = await look(room, asker, lookup)
    if (typeof found === 'string') return { view: keyCheckedModal(found), atOnce: 'close' as const }
    const { problem } = found
    return { view: again(problem), atOnce: { [keyInput]: problem }, hindrance: found }
  })
  if (hindrance === undefined) return show({ asker, place })
  endsAs(hindrance.outcome)
  if (!isSeen) await room.delivery.privately(place, say(hindrance.problem))
}

/** `connect`: they have no account, or not any more, and are asked to connect one where the card goes. */
async function look(
  room: AlertRoom,
  asker: Person,
  lookup: Lookup,
): Promise<Hindrance | 'found' | 'connect'> {
  const { account, reads, audit, log } = room
  const { ks } = lookup
  const token = await account.tokens.find(asker)
  if (token === undefined) return 'connect'
  // A key stands in an address, in the service's own log, and in the trail; and a token must not.
  if (ks.includes(token)) return { problem: tokenForKey, outcome: 'user-error' }
  try {
    // Whoever shows the card shares the answer, and writes down that it was read.
    await reads.read(personKey(asker), token, ks)
    return 'found'
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    const { code } = error
    if (code === 'refused') return 'connect'
    const { workspaceId, userId } = asker
    audit.lookedUp({ workspaceId, userId, ks, outcome: `not-done:${code}` })
    if (code === 'forbidden') await account.onRefusal(asker, { kind: code, ks })
    if (code === 'malformed') log.error({ err: error }, 'the service answered outside its contract')
    return { problem: await problemOf(room, asker, lookup, code), outcome: `service-${code}` }
  }
}

async function problemOf(
  room: AlertRoom,
  asker: Person,
  lookup: Lookup,
  code: MonitorError['code'],
): Promise<string> {
  if (code === 'not-found' || code === 'bad-request')
    return noAlertInForm(lookup.ks, code, await meantBy(room, asker, lookup))
  const reference = code === 'malformed' ? ` (Reference ${requestNow()?.id})` : ''
  return `${monitorSentence(code)}${reference}`
}
