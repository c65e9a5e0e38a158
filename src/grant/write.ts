// Writes about people of a container: one request each. Adding somebody is done once the service says so. Of all else its
// answer proves nothing, and the list read after it does.
// Source: the service's API document, and its documentation of the users and invites of a container.

import type { Entry } from '../audit/trail.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { grantsTotal } from '../metrics/metrics.ts'
import type { WriteResult } from '../monitor/writes.ts'
import { containerInWords } from '../names/containers.ts'
import { lackedFlags } from '../names/names.ts'
import { endsOf, storeEnds } from '../send/ends.ts'
import {
  type AccessKind,
  type AccessWrite,
  asAccess,
  calledBy,
  endingCodes,
  isRefusedFor,
  requestOutcome,
} from '../send/outcome.ts'
import { lookedStep, type Request, type Send } from '../send/request.ts'
import { answered, type Kind, lookAfter, type SendResult } from '../send/send.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { sayMarked } from '../slack/outbound/message.ts'
import { escapeText, linkTo } from '../slack/text/mrkdwn.ts'
import { accessOf, type Result, resultsOf } from './access.ts'
import { findIn, isAsShown, isListed, personIn, readListed, readPeople } from './people.ts'
import { receiptFor } from './receipts.ts'
import { inVain, lateNote } from './render/receipt.ts'

/**
 * Changes and removes people only as they were shown: the service takes whole lists, without versions. What is sent is
 * the list as just read, with the change made in it, so that flags that Bellhop doesn’t know stay.
 */
const perform: Kind['perform'] = async (house, token, write, begin) => {
  const access = asAccess(write)
  const isThere = access.there !== undefined || access.kind === 'take-back'
  const isRead = isThere || (access.kind === 'add-user' && access.ends !== undefined)
  const before = isRead ? await readBefore(house, token, access) : {}
  if (before.outcome !== undefined) return { ...before, outcome: before.outcome }
  if (!(await begin())) return undefined
  const { had, userId } = before
  const sent = answered(await sendTo(house, token, access, had, userId))
  const { outcome } = sent
  // The container was there a moment ago, so the person is gone.
  if (isThere && isRefusedFor(outcome, ['not-found']))
    return { outcome: { kind: 'not-done', code: 'changed' }, had }
  const isProven =
    outcome.kind === 'done' && (access.kind === 'add-user' || access.kind === 'invite')
  if (outcome.kind === 'not-done' || (isProven && access.ends === undefined))
    return { ...sent, had }
  const looked = await settleByLook(house, token, access, sent)
  if (!isProven) return { ...looked, had }
  // What ends has to be seen there: only then it can be seen to be gone.
  return looked.outcome.kind === 'done' ? { outcome: { kind: 'done', on: 'seen' } } : sent
}

/** Has an outcome where nothing is to be sent: it is so already, or not as it was shown. */
async function readBefore(
  house: House,
  token: string,
  access: AccessWrite,
): Promise<Partial<SendResult> & { readonly userId?: number }> {
  const list = await readPeople(house, token, access.containerId)
  if (typeof list === 'string') return { outcome: { kind: 'not-done', code: list } }
  // Nothing can be taken back from who had something before, as nobody knows what came from where.
  if (access.kind === 'add-user')
    return isListed(list, access) ? { outcome: { kind: 'not-done', code: 'bad-request' } } : {}
  const them = personIn(list, access)
  const had = them?.permissions
  const isOurs = access.kind === 'take-back'
  // Who was never shown by this token may be there all the same.
  if (them === undefined && isOurs && !access.absenceCounts)
    return { outcome: { kind: 'uncertain', cause: 'not-seen' } }
  const isSo = findIn(list, access).outcome !== undefined
  if (isSo) return { outcome: { kind: 'done', on: 'already' }, had, has: had ?? [] }
  const isShown = them && (isOurs ? !them.inherit : access.there && isAsShown(them, access.there))
  return isShown
    ? { had, userId: them.id }
    : { outcome: { kind: 'not-done', code: 'changed' }, had }
}

function sendTo(
  { monitor }: House,
  token: string,
  write: AccessWrite,
  had: readonly string[] = [],
  userId = 0,
): Promise<WriteResult> {
  const { kind, containerId, email, authProvider, member, permissions, takes = [], isWhole } = write
  const kept = had.filter((flag) => !takes.includes(flag))
  const user = { email, member: member ?? false, permissions }
  switch (kind) {
    case 'add-user':
      return monitor.addUser(token, containerId, { ...user, authProvider })
    case 'take-back':
    case 'change': {
      if (isWhole && kept.length === 0) return monitor.removeUser(token, containerId, userId)
      const all = [...new Set([...kept, ...permissions])]
      return monitor.changeUser(token, containerId, userId, { permissions: all, member })
    }
    case 'remove':
      return monitor.removeUser(token, containerId, userId)
    case 'invite':
      return monitor.inviteUser(token, containerId, user)
    case 'uninvite':
      return monitor.uninviteUser(token, containerId, email)
    default:
      return kind satisfies never
  }
}

/** Looks up to three times within seconds, where the answer to a write proves nothing. */
async function settleByLook(
  house: House,
  token: string,
  write: AccessWrite,
  sent: SendResult,
): Promise<SendResult> {
  // A look that can’t read keeps what an earlier one saw.
  let found: ReturnType<typeof findIn> | undefined
  let isClosed = false
  await lookAfter(house, async () => {
    const list = await readListed(house, token, write)
    if (typeof list !== 'string') found = findIn(list, write)
    isClosed = typeof list === 'string' && (list === 'no-operation' || endingCodes.includes(list))
    return found?.outcome || list === 'no-operation' ? 'enough' : 'again'
  })
  const { outcome = sent.outcome, has } = found ?? {}
  if (outcome !== sent.outcome || outcome.kind !== 'done') return { ...sent, outcome, has }
  const cause = found === undefined && isClosed ? 'not-readable' : 'not-seen'
  return { outcome: { kind: 'uncertain', cause }, has }
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
  const list = await readListed(house, token, accessOf(request))
  if (typeof list === 'string') throw new UserError(inVain.notRead)
  for (const send of request.sends) {
    if (send.outcome?.kind !== 'uncertain') continue
    const { outcome, has } = findIn(list, asAccess(send.write))
    if (outcome === undefined) continue
    const kept = await requests.change(request, lookedStep(send.n, outcome))
    if (kept === undefined) continue
    await grantKind.record(house, kept, send, { outcome, has })
    grantKind.tellPerson(house, kept, send, outcome)
  }
  const now = (await requests.find(request)) ?? request
  return { request: now, lookedAt: Math.floor(house.now() / 1000) }
}

/**
 * Reads once what may explain a refusal for no known reason (400): the flags of the sender’s token, and who is there.
 * @returns Results with what the sender's token shows of them, for the sender alone.
 */
export async function withSeen(
  house: House,
  token: string,
  kept: Request,
  results: readonly Result[],
): Promise<readonly Result[]> {
  const { kind, containerId, authProvider, permissions, ends } = accessOf(kept)
  const isRefused = ({ outcome }: Result) => isRefusedFor(outcome, ['bad-request'])
  if (!results.some(isRefused)) return results
  const reader = { asker: kept.sender, token }
  const needed = ['API', 'CONTAINER_ACCESS', ...permissions]
  const [people, lacks, running] = await Promise.all([
    kind === 'add-user' && readPeople(house, token, containerId),
    lackedFlags(house, reader, containerId, needed),
    house.storage.ends.list({ workspaceId: kept.workspaceId }),
  ])
  return results.map((one) => {
    if (!isRefused(one)) return one
    if (typeof people !== 'object') return { ...one, lacks }
    const them = personIn(people, { ...one, authProvider })
    const theirs = endsOf(running, containerId, them ?? {})
    const isEnding = theirs.some(({ flags }) => permissions.some((flag) => flags.includes(flag)))
    const canInvite = !lacks.includes('CONTAINER_ACCESS') && !ends && !isListed(people, one)
    return { ...one, lacks, has: them ?? 'not-seen', isEnding, canInvite }
  })
}

export const grantKind: Required<Kind> = {
  perform,
  follow: storeEnds,
  record: (house, kept, send, done) => house.audit.record(auditEntry(kept, send, done)),
  tellPerson(house, kept, send, outcome) {
    const { kind, permissions, member } = asAccess(send.write)
    // Anybody may have given what a list merely shows, so no giver is named. Invitations are the service’s own mails.
    const isNew = outcome.kind === 'done' && (outcome.on === undefined || outcome.on === 'seen')
    const isGiven = kind === 'add-user' || (kind === 'change' && (permissions.length > 0 || member))
    if (isNew && isGiven) void tellRecipient(house, kept, send)
  },
  async news(house, kept) {
    const { sender } = kept
    const notes = { canShare: false, notes: [lateNote] }
    return [{ userId: sender.userId, message: receiptFor(house, sender, kept, notes) }]
  },
  count(request, told) {
    // Each attempt at an approval counts.
    const isTried = request.end === 'sent' || request.state === 'requested'
    const outcomes = isTried ? resultsOf(request).map(({ outcome }) => outcome) : []
    const { kind } = accessOf(request)
    for (const outcome of outcomes) {
      const reason = 'code' in outcome ? outcome.code : 'cause' in outcome ? outcome.cause : 'none'
      grantsTotal.inc({ kind, outcome: outcome.kind, reason, told })
    }
    if (told === 'at_once' && outcomes.length > 0) noteOutcome(requestOutcome(outcomes))
  },
}

export const accessKinds: Readonly<Record<Exclude<AccessKind, 'take-back'>, Kind>> = {
  ...{ 'add-user': grantKind, change: grantKind, remove: grantKind },
  ...{ invite: grantKind, uninvite: grantKind },
}

/** One entry for each outcome: a look, or a sender that was taken for dead, can bring a second one. */
function auditEntry(kept: Request, { n, write }: Send, done: SendResult): Entry {
  const outcome = calledBy(done.outcome)
  const { id, askerId, sender, sends, attempt, approval } = kept
  const { kind, email, there, ...what } = asAccess(write)
  const act = kind === 'add-user' ? 'grant' : kind
  const { had = there?.permissions, has } = done
  // Each attempt at an approval has its own entry.
  const attemptId = approval === undefined ? id : `${id}:${attempt}`
  const reference = sends.length === 1 ? attemptId : `${attemptId}.${n}`
  const approved = askerId === sender.userId ? {} : { userId: askerId, approverId: sender.userId }
  const whom = { email: email || undefined, personId: there?.userId, had, has, until: kept.endsAt }
  return {
    ...sender,
    ...what,
    ...whom,
    ...approved,
    key: `${act}:${reference}:${outcome}`,
    act,
    outcome,
    reference,
  }
}

/** Tells somebody that they got access, in the background. Never rejects: a notice that fails is lost. */
async function tellRecipient(house: House, request: Request, { write }: Send): Promise<void> {
  const { sender, askerId, about } = request
  const { slack } = house
  const { email, containerId, there } = asAccess(write)
  const tell = async () => {
    const recipientId =
      email && (await unlessSlackFails(slack.people.memberWith(email), ['missing_scope']))
    if (!recipientId || recipientId === sender.userId || recipientId === askerId) return
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
