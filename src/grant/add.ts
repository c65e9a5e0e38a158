// Adds somebody to a container, or flags to what they have there: one request. Where the answer leaves it uncertain,
// Bellhop reads the container’s people. Absence from that list proves nothing, as it lacks some people; and it doesn’t
// say who did what.
// Source: the service's documentation of “Query users” of a container.

import type { Entry } from '../audit/trail.ts'
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteOutcome, type RequestOutcome } from '../log/log.ts'
import { grantsTotal } from '../metrics/metrics.ts'
import { type ContainerPerson, isSameAddress } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import {
  type AddUser,
  asAddUser,
  calledBy,
  isRefusedFor,
  type NotDoneCode,
  type There,
} from '../send/outcome.ts'
import { lookedStep, type Request, type Send } from '../send/request.ts'
import { answered, type Kind, lookAfter, type SendResult } from '../send/send.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { sayMarked } from '../slack/outbound/message.ts'
import { escapeText, linkTo } from '../slack/text/mrkdwn.ts'
import { accessOf, isLacking, type Result, resultsOf } from './access.ts'
import { receiptFor } from './receipts.ts'
import { inVain, lateNote } from './render/receipt.ts'

const addSomebody: Kind['perform'] = async (house, token, write, begin) => {
  const adding = asAddUser(write)
  const { kind: _, containerId, there, ...user } = adding
  if (there !== undefined) return changeSomebody(house, token, adding, there, begin)
  if (!(await begin())) return undefined
  const sent = answered(await house.monitor.addUser(token, containerId, user))
  return sent.outcome.kind === 'uncertain' ? settleByLook(house, token, adding, sent) : sent
}

/**
 * Adds flags for somebody who is there already, and takes none away. The service takes only whole lists, without
 * versions. So Bellhop reads the list when it shows what would change and again before it sends; it sends all flags
 * they have by then, even unknown ones, and the new ones. It sends nothing where they have lost any since. The answer
 * proves nothing: the list read after it does.
 * Source: the service's documentation of “Update user” of a container.
 */
async function changeSomebody(
  house: House,
  token: string,
  write: AddUser,
  there: There,
  begin: () => Promise<boolean>,
): Promise<SendResult | undefined> {
  const { containerId, permissions, member } = write
  const list = await readPeople(house, token, containerId)
  if (typeof list === 'string') return { outcome: { kind: 'not-done', code: list } }
  const them = personIn(list, write)
  const had = them?.permissions
  const hasLost = there.permissions.some((flag) => !them?.permissions.includes(flag))
  if (them === undefined || them.inherit || hasLost)
    return { outcome: { kind: 'not-done', code: 'changed' }, had }
  if (!isLacking(write, them)) return { outcome: { kind: 'done', on: 'unsaid' }, had, has: had }
  if (!(await begin())) return undefined
  const sent = answered(
    await house.monitor.changeUser(token, containerId, them.id, {
      permissions: [...new Set([...them.permissions, ...permissions])],
      ...(member && { member }),
    }),
  )
  const { outcome } = sent
  if (outcome.kind !== 'not-done') return { ...(await settleByLook(house, token, write, sent)), had }
  // The container was there a moment ago, so the person is gone.
  return outcome.code === 'not-found' ? { outcome: { ...outcome, code: 'changed' } } : { ...sent, had }
}

/** Looks up to three times within seconds, where the answer to a write proves nothing. */
async function settleByLook(
  house: House,
  token: string,
  write: AddUser,
  sent: SendResult,
): Promise<SendResult> {
  // A look that can’t read keeps what an earlier one saw.
  let found: Found | undefined
  await lookAfter(house, async () => {
    const list = await readPeople(house, token, write.containerId)
    if (typeof list !== 'string') found = findIn(list, write)
    return found?.outcome || list === 'no-operation' ? 'enough' : 'again'
  })
  const { outcome = sent.outcome, has } = found ?? {}
  if (outcome !== sent.outcome || outcome.kind !== 'done') return { ...sent, outcome, has }
  return { outcome: { kind: 'uncertain', cause: found ? 'not-seen' : 'not-readable' }, has }
}

/**
 * *Look again*: reads the list once, for everybody whose outcome is uncertain. Sends the service nothing.
 * @returns `lookedAt` in Unix seconds; undefined where everything was known already.
 * @throws UserError when nothing can be looked at.
 */
export async function lookAgain(house: House, request: Request) {
  const { requests } = house.storage
  if (request.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')) return { request }
  const token = await house.tokens.find(request.sender)
  if (token === undefined) throw new UserError(inVain.noAccount)
  const list = await readPeople(house, token, accessOf(request).containerId)
  if (typeof list === 'string') throw new UserError(inVain.notRead)
  for (const send of request.sends) {
    if (send.outcome?.kind !== 'uncertain') continue
    const { outcome } = findIn(list, asAddUser(send.write))
    if (outcome === undefined) continue
    const kept = await requests.change(request, lookedStep(send.n, outcome))
    if (kept === undefined) continue
    await grantKind.record(house, kept, send, { outcome })
    grantKind.tellPerson(house, kept, send, outcome)
  }
  const now = (await requests.find(request)) ?? request
  return { request: now, lookedAt: Math.floor(house.now() / 1000) }
}

/**
 * Reads the container’s people once, where somebody was refused without a reason (400) or has changed meanwhile.
 * @returns Results with what the sender's token shows of them, for the sender alone.
 */
export async function withSeen(
  house: House,
  token: string,
  kept: Request,
  results: readonly Result[],
): Promise<readonly Result[]> {
  const access = accessOf(kept)
  const code = access.there === undefined ? 'bad-request' : 'changed'
  const isRefused = ({ outcome }: Result) => isRefusedFor(outcome, [code])
  if (!results.some(isRefused)) return results
  const people = await readPeople(house, token, access.containerId)
  if (typeof people === 'string') return results
  const seen = (email: string) => personIn(people, { ...access, email }) ?? 'not-seen'
  return results.map((one) => (isRefused(one) ? { ...one, has: seen(one.email) } : one))
}

/** The people of a container, as somebody's token shows them, or why it shows none. */
export async function readPeople(
  { monitor }: House,
  token: string,
  containerId: number,
): Promise<readonly ContainerPerson[] | NotDoneCode> {
  const found = await orMonitorError(monitor.usersOf(token, containerId))
  if (found instanceof MonitorError) return found.code
  if (found.kind === 'listed') return found.people
  return found.kind === 'off' ? 'no-operation' : 'not-found'
}

/** Has no outcome while nothing shows that they were added. */
type Found = Partial<Pick<SendResult, 'outcome' | 'has'>>

export function findIn(people: readonly ContainerPerson[], write: AddUser): Found {
  const them = people.filter((one) => isThem(write, one))
  const has = personIn(people, write)?.permissions
  if (them.some((one) => !one.inherit && !isLacking(write, one))) {
    // Somebody who was there already lacked some of it in an earlier read, so this write gave it to them.
    return { outcome: { kind: 'done', on: write.there === undefined ? 'unsaid' : 'seen' }, has }
  }
  return { has }
}

type Whom = Pick<AddUser, 'email' | 'authProvider'> & { readonly there?: Pick<There, 'userId'> | undefined }

/**
 * Finds somebody, on this container first. Undefined where an address is there twice: only a provider tells them apart.
 */
export function personIn(people: readonly ContainerPerson[], whom: Whom): ContainerPerson | undefined {
  const them = people.filter((one) => isThem(whom, one))
  const [own, ...others] = them.filter(({ inherit }) => !inherit)
  return others.length > 0 ? undefined : (own ?? them[0])
}

function isThem({ email, authProvider, there }: Whom, person: ContainerPerson): boolean {
  if (there !== undefined) return person.id === there.userId
  return (
    person.email !== undefined &&
    isSameAddress(person.email, email) &&
    (authProvider === undefined || person.authProvider?.toLowerCase() === authProvider.toLowerCase())
  )
}

export const grantKind: Required<Kind> = {
  perform: addSomebody,
  record: (house, kept, send, done) => house.audit.record(auditEntry(kept, send, done)),
  tellPerson(house, kept, send, outcome) {
    // Anybody may have given what a list merely shows, so no giver is named.
    if (outcome.kind === 'done' && outcome.on !== 'unsaid') void tellRecipient(house, kept, send)
  },
  async news(house, kept) {
    const { sender } = kept
    const notes = { canShare: false, notes: [lateNote] }
    return [{ userId: sender.userId, message: receiptFor(house, sender, kept, notes) }]
  },
  count(request, told) {
    // Each attempt at an approval counts.
    const isTried = request.end === 'sent' || request.state === 'requested'
    const results = isTried ? resultsOf(request) : []
    for (const { outcome } of results) {
      const reason = 'code' in outcome ? outcome.code : 'cause' in outcome ? outcome.cause : 'none'
      grantsTotal.inc({ outcome: outcome.kind, reason, told })
    }
    if (told === 'at_once' && results.length > 0) noteOutcome(requestOutcome(results))
  },
}

function requestOutcome(results: readonly Result[]): RequestOutcome {
  if (results.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = results.filter(({ outcome }) => outcome.kind === 'done')
  if (granted.length > 0) return granted.length === results.length ? 'ok' : 'partly'
  const code = results.flatMap(({ outcome }) => (outcome.kind === 'not-done' ? [outcome.code] : []))[0]
  // Nothing was sent for anybody, as Bellhop was stopped.
  return code === undefined ? 'stopped' : `service-${code}`
}

/** One entry for each outcome: a look, or a sender that was taken for dead, can bring a second one. */
function auditEntry(kept: Request, { n, write }: Send, done: SendResult): Entry {
  const outcome = calledBy(done.outcome)
  const { id, askerId, sender, sends, attempt, approval } = kept
  const { containerId, email, permissions, member, authProvider, there } = asAddUser(write)
  const { had = there?.permissions, has } = done
  const what = { containerId, email, permissions, member, authProvider, had, has }
  // Each attempt at an approval has its own entry.
  const attemptId = approval === undefined ? id : `${id}:${attempt}`
  const reference = sends.length === 1 ? attemptId : `${attemptId}.${n}`
  const approved = askerId === sender.userId ? {} : { userId: askerId, approverId: sender.userId }
  const key = `grant:${reference}:${outcome}`
  return { ...sender, ...what, ...approved, key, act: 'grant', outcome, reference }
}

/** Tells somebody that they got access, in the background. Never rejects: a notice that fails is lost. */
async function tellRecipient(house: House, request: Request, { write }: Send): Promise<void> {
  const { sender, askerId, about } = request
  const { slack } = house
  const { email, containerId, there } = asAddUser(write)
  const tell = async () => {
    const recipientId = await unlessSlackFails(slack.people.memberWith(email), ['missing_scope'])
    if (recipientId === undefined || recipientId === sender.userId || recipientId === askerId) return
    const giver = (await slack.people.inLine(sender.userId)) ?? 'A colleague'
    const where = containerInWords(house, sender, containerId)
    const news = `${giver} gave you ${there === undefined ? '' : 'more '}access to ${where} in monitoring.`
    const { channelId, threadTs: ts } = about ?? {}
    const link = about?.isForAll && channelId && ts && (await slack.linkOf({ channelId, ts }))
    const next = link
      ? linkTo(link, 'See the alert it’s for.')
      : 'To look up its alerts in Slack, type /alert help.'
    await slack.post(recipientId, sayMarked(`${escapeText(news)} ${next}`))
  }
  await slack.work
    .run(tell)
    .catch((error: unknown) =>
      house.log.failedJob('warn', { err: error }, 'somebody who got access could not be told'),
    )
}
