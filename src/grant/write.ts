// Makes writes about people of a container, with one call to the service each. An add or an invitation is done once the
// service says so; an add for a time also reads the list before and after. For all other writes, the service’s answer
// proves nothing, and the list that is read after it does.
// Source: the service's API document, and its documentation of the users and invites of a container.

import { lackedFlags } from '../account/rights.ts'
import type { Entry } from '../audit/trail.ts'
import { endingAtStep, endsOf, shownStep } from '../ends/states.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { grantsTotal } from '../metrics/metrics.ts'
import type { ContainerPerson } from '../monitor/schema.ts'
import type { WriteResult } from '../monitor/writes.ts'
import { containerInWords } from '../names/containers.ts'
import { accessKinds, actOf } from '../send/access-kinds.ts'
import {
  type AccessWrite,
  asAccess,
  codeOf,
  endingCodes,
  isRefusedFor,
  type NotDoneCode,
  requestOutcome,
  type SendOutcome,
} from '../send/outcome.ts'
import { lookedStep, type Request, type Send } from '../send/request.ts'
import { asSendResult, type Kind, lookUntilShown, rowFor, type SendResult } from '../send/send.ts'
import { knownBy } from '../send/whom.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { sayMarked } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { date, escapeText, linkTo, seconds } from '../slack/text/mrkdwn.ts'
import { accessOf, cantBeAdded, isLacking, type Result, resultsOf } from './access.ts'
import { tooLong } from './lasting.ts'
import {
  asShown,
  findIn,
  isAllOfIt,
  isAsShown,
  isListed,
  personIn,
  readListed,
  readPeople,
} from './people.ts'
import { receiptFor } from './receipts.ts'
import { inVain, lateNote } from './render/receipt.ts'
import { whyNotToGive } from './rights.ts'
import { warningsFor } from './warnings.ts'

/**
 * Makes one write. A change sends the person’s whole list of flags, as the service wants it: the list as just read, with
 * flags added and taken, so that flags that Bellhop doesn’t know stay. The service can’t refuse an outdated list; so
 * nothing is sent about somebody whose access has changed since the sender saw it.
 */
const perform: Kind['perform'] = async (house, sender, write, begin) => {
  const access = asAccess(write)
  if (access.kind === 'extend') return makeLonger(house, sender, access, begin)

  // 1. The list before: nothing is sent about somebody who has changed since they were shown.
  const before = await lookBefore(house, sender, access)
  if (before.outcome !== undefined) return { ...before, outcome: before.outcome }

  const { had, them } = before
  const isRemoval = removes(access, them)
  const isShownRemoval = isRemoval && them !== undefined
  const there = them && asShown(them)
  // If the write takes the membership, the person is stored as no member: a list without somebody proves something only
  // if they are a member.
  const shown = there && access.member === false && !isRemoval ? { ...there, member: false } : there
  // 2. Stores that the write goes out, with what the list showed: should this process die, the next one knows as much.
  if (!(await begin({ there: shown, isRemoval: isShownRemoval }))) return undefined

  // 3. The one call for the write itself.
  const sent = asSendResult(await sendTo(house, sender.token, access, them, isRemoval))
  // 4. Reads the list once more, if the service’s answer proves nothing. Only members are sure to be listed. So if this
  // write took the membership, a list without the person doesn’t prove that they are gone.
  const { absenceProves = false, isUnlisted, member } = access
  const stillProves = absenceProves && !isUnlisted && member !== false

  return { ...(await settle(house, sender, access, sent, isShownRemoval || stillProves)), had }
}

const notDone = (code: NotDoneCode) => ({ outcome: { kind: 'not-done', code } }) as const

/**
 * Reads the list before a write. The result has an outcome if nothing is to be sent: the list can’t be read, it shows that
 * nothing is left to do, or it shows the person otherwise than the sender saw them.
 */
async function lookBefore(
  house: House,
  { owner, token }: Account,
  access: AccessWrite,
): Promise<Partial<SendResult> & { readonly them?: ContainerPerson }> {
  const { kind, there } = access
  const isOurs = kind === 'take-back'
  const isNew = kind === 'add-user' && access.ends !== undefined
  if (there === undefined && !isOurs && !isNew) return {}

  const list = await readPeople(house, token, access.containerId)
  if (typeof list === 'string') return notDone(list)

  // Somebody who is there already isn’t added for a time: later, nobody could tell which access to take back.
  if (isNew) return isListed(list, access) ? notDone('is-there') : {}

  const them = personIn(list, access)
  if (them === undefined) return kind === 'change' ? notDone('changed') : outcomeIfAbsent(access)

  const had = them.permissions
  const known = { had, there: asShown(them) }
  if (findIn(list, access).outcome !== undefined)
    return {
      ...known,
      outcome: { kind: 'done', ground: 'already' },
      has: had,
    }

  const isShown = isOurs ? !them.inherit : there && isAsShown(them, there)
  // A write with a warning that its sender hasn’t seen isn’t sent.
  const taking = { ...access, people: [access] }
  const warnings = isOurs ? [] : await warningsFor(house, owner, list, taking)
  const isWarned = warnings.every((one) => access.warnings?.includes(one))

  return isShown && isWarned ? { had, them } : { ...known, ...notDone('changed') }
}

/**
 * The outcome for somebody whom the list doesn’t show. They are gone if absence proves that, or if a member was to be
 * removed, as every list shows members. Anybody else may still have all their access.
 */
function outcomeIfAbsent({
  kind,
  absenceProves,
  isUnlisted,
  there,
}: AccessWrite): Partial<SendResult> {
  if (absenceProves || (kind === 'remove' && there?.member))
    return { outcome: { kind: 'done', ground: 'already' }, has: [] }
  // This take-back removes the person by their number, even if no list shows them. So it has no outcome yet, and is
  // sent.
  if (isUnlisted && there !== undefined) return {}

  return { outcome: { kind: 'uncertain', cause: 'not-listed' } }
}

/** True if a write removes the person from the container; false if it only changes what they have. */
function removes(access: AccessWrite, them: ContainerPerson | undefined): boolean {
  const { kind, isUnlisted, isWhole } = access
  if (kind === 'remove') return true
  if (kind !== 'take-back') return false

  return them === undefined ? isUnlisted === true : isWhole === true && isAllOfIt(access, them)
}

/**
 * Makes the one call to the service that a write stands for.
 * @param them - The person as a list has just shown them: a change keeps their other flags.
 * @param isRemoval - True if the write takes all that they have there.
 */
function sendTo(
  { monitor }: House,
  token: string,
  write: AccessWrite,
  them: ContainerPerson | undefined,
  isRemoval: boolean,
): Promise<WriteResult> {
  const { kind, containerId, email, authProvider, member, permissions, takes = [], there } = write
  const userId = them?.id ?? there?.userId ?? 0
  const user = {
    email,
    member: member ?? false,
    permissions,
  }

  switch (kind) {
    case 'add-user':
      return monitor.addUser(token, containerId, { ...user, authProvider })
    case 'remove':
    case 'take-back':
    case 'change': {
      if (isRemoval) return monitor.removeUser(token, containerId, userId)

      const kept = them?.permissions.filter((flag) => !takes.includes(flag)) ?? []
      const all = [...new Set([...kept, ...permissions])]

      return monitor.changeUser(token, containerId, userId, { permissions: all, member })
    }
    case 'invite':
      return monitor.inviteUser(token, containerId, user)
    case 'uninvite':
      return monitor.uninviteUser(token, containerId, email)
    case 'extend':
      throw new TypeError('the service is not asked to extend access')
    default:
      return kind satisfies never
  }
}

/**
 * The outcome of a write that was sent. A refused write is not done. An add or an invitation is done if the service says
 * so. For all other writes, and if the answer is unclear, a read decides (`findIn`).
 */
async function settle(
  house: House,
  sender: Account,
  access: AccessWrite,
  sent: SendResult,
  absenceProves: boolean,
): Promise<SendResult> {
  const { kind } = access
  if (accessKinds[kind].isOfListed && isRefusedFor(sent.outcome, ['not-found']))
    return afterNotFound(house, sender, access)
  if (sent.outcome.kind === 'not-done') return sent

  const isProven = sent.outcome.kind === 'done' && (kind === 'add-user' || kind === 'invite')
  if (isProven && !(await hasToBeSeen(house, sender, access))) return sent

  const looked = await settleByLook(house, sender.token, access, sent, absenceProves)
  if (!isProven) return looked

  // The service’s answer has proved the add already; the list was read for the person’s number. So a list that shows the
  // person makes the outcome `seen`, not `unattributed` as in `findIn`.
  const isSeen = looked.outcome.kind === 'done'

  return isSeen ? { ...looked, outcome: { kind: 'done', ground: 'seen' } } : sent
}

/** True for an add after which an end (of the new access, or of earlier access there) needs the person’s number. */
async function hasToBeSeen(
  house: House,
  { owner }: Account,
  access: AccessWrite,
): Promise<boolean> {
  if (access.kind !== 'add-user') return false
  if (access.ends !== undefined) return true

  const whom = knownBy(access, access.authProvider)

  return (await endsOf(house, owner.workspaceId, access.containerId, whom)).length > 0
}

/**
 * The outcome of a write that was answered with 404. The container was there a moment ago, so the person no longer is. A
 * take-back is done, unless a list still shows the person, who may have access through another container. All other writes
 * are `changed`: somebody else has removed the person.
 */
async function afterNotFound(
  house: House,
  { token }: Account,
  access: AccessWrite,
): Promise<SendResult> {
  const list = await readPeople(house, token, access.containerId)
  const isGone = typeof list !== 'string' && access.kind === 'take-back' && !isListed(list, access)
  if (isGone) return { outcome: { kind: 'done', ground: 'seen' }, has: [] }

  return notDone('changed')
}

/** Reads the list at most three times, within seconds. The outcome is uncertain if none shows that the write was done. */
async function settleByLook(
  house: House,
  token: string,
  write: AccessWrite,
  sent: SendResult,
  absenceProves: boolean,
): Promise<SendResult> {
  // `found` stays as an earlier look left it if a later look can’t read the list.
  let found: ReturnType<typeof findIn> | undefined
  let isClosed = false
  await lookUntilShown(house, async () => {
    const list = await readListed(house, token, write)
    if (typeof list !== 'string') found = findIn(list, write, absenceProves)

    isClosed = typeof list === 'string' && (list === 'no-operation' || endingCodes.includes(list))

    return found?.outcome || list === 'no-operation' ? 'enough' : 'again'
  })

  const cause = found === undefined && isClosed ? 'not-readable' : 'not-seen'
  const unseen = { kind: 'uncertain', cause } as const

  return {
    ...sent,
    outcome: sent.outcome.kind === 'done' ? unseen : sent.outcome,
    ...found,
  }
}

/**
 * *Look again*: reads the list once, for everybody whose outcome is uncertain. Sends the service nothing.
 * @returns `lookedAt` in Unix seconds; undefined if everything was known already.
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
    // A write with the cause `not-listed` wasn’t sent, so another list can’t show its result.
    if (send.outcome?.kind !== 'uncertain' || send.outcome.cause === 'not-listed') continue

    const { outcome, has, there } = findIn(list, asAccess(send.write))
    if (outcome === undefined) continue

    // Ends are stored before the outcome. If this process dies in between, another look stores the outcome.
    const seen = { ...send, outcome, there: there ?? send.there }
    await rowFor(house, request).storeWhatFollows?.(house, { ...request, sends: [seen] })

    const kept = await requests.change(request, lookedStep(send.n, outcome, there))
    if (kept === undefined) continue

    const end = { workspaceId: request.workspaceId, id: `${request.id}.${send.n}` }
    if (there) await house.storage.ends.change(end, shownStep(there))

    await grantKind.record(house, kept, send, { outcome, has })
    grantKind.tellPerson(house, kept, send, outcome)
  }

  const now = (await requests.find(request)) ?? request

  return { request: now, lookedAt: Math.floor(house.now() / 1000) }
}

/**
 * Adds to each refusal what may explain it, for the sender alone: flags that the sender’s token lacks and, of an add, the
 * person’s entry in the list of the container. Only refusals with a code of `cantBeAdded` are explained.
 */
export async function withSeen(
  house: House,
  token: string,
  kept: Request,
  results: readonly Result[],
): Promise<readonly Result[]> {
  const access = accessOf(kept)
  const { kind, containerId, authProvider, permissions, ends } = access
  const isRefused = ({ outcome }: Result) => isRefusedFor(outcome, cantBeAdded)
  if (!results.some(isRefused)) return results

  const reader = { owner: kept.sender, token }
  const needed = ['API', 'CONTAINER_ACCESS', ...permissions]
  const [people, lacks] = await Promise.all([
    kind === 'add-user' && readPeople(house, token, containerId),
    lackedFlags(house, reader, containerId, needed),
  ])

  const explaining = results.map(async (one): Promise<Result> => {
    if (!isRefused(one)) return one
    if (typeof people !== 'object') return { ...one, lacks }

    const them = personIn(people, { ...one, authProvider })
    const wasSent = isRefusedFor(one.outcome, ['bad-request'])
    const hasAll = wasSent && them !== undefined && !isLacking(access, them)
    const known = { ...them, userId: them?.id }
    const theirs = hasAll ? await endsOf(house, kept.workspaceId, containerId, known) : []
    const isEnding = theirs.some(({ flags }) => permissions.some((flag) => flags.includes(flag)))
    const canInvite = !lacks.includes('CONTAINER_ACCESS') && !ends && !isListed(people, one)

    return {
      ...one,
      lacks,
      has: them ?? 'not-seen',
      hasAll,
      isEnding,
      canInvite,
    }
  })

  return Promise.all(explaining)
}

/**
 * Makes access last longer, as a colleague has approved: moves its end, which Bellhop keeps. The service is asked only
 * which flags the colleague has: they need each flag of the access.
 */
async function makeLonger(
  house: House,
  { owner, token }: Account,
  { containerId, permissions, ends, endId = '' }: AccessWrite,
  begin: () => Promise<boolean>,
): Promise<SendResult | undefined> {
  const code = await whyNotToGive(house, token, containerId, permissions)
  if (code !== undefined) return notDone(code)
  if (!(await begin())) return undefined

  const endsAt = ends && 'at' in ends ? ends.at : 0
  const key = { workspaceId: owner.workspaceId, id: endId }
  const moved = await house.storage.ends.change(key, (end, now) => {
    const isStill = end.endsAt > now && end.endsAt < endsAt
    const isAllowed = tooLong(house.config, end, endsAt).length === 0

    return isStill && isAllowed ? endingAtStep(endsAt)(end, now) : undefined
  })

  if (moved === undefined) return notDone('changed')

  return { outcome: { kind: 'done', ground: 'seen' } }
}

export const grantKind = {
  perform,
  record: (house, kept, send, done) => house.audit.record(auditEntry(kept, send, done)),
  tellPerson(house, kept, send, outcome) {
    const { kind, permissions, member } = asAccess(send.write)
    // The person hears nothing of an add that a colleague may have made (`unattributed`). Invitations are mailed by the
    // service itself.
    const isNew =
      outcome.kind === 'done' && (outcome.ground === undefined || outcome.ground === 'seen')
    const isGiven = kind === 'add-user' || (kind === 'change' && (permissions.length > 0 || member))
    if (isNew && isGiven) void tellRecipient(house, kept, send)
  },
  async showAndCompose(house, kept) {
    const { sender } = kept
    const notes = { canShare: false, notes: [lateNote] }

    return [{ userId: sender.userId, message: receiptFor(house, sender, kept, notes) }]
  },
  count(request, told) {
    // A request that is to be approved again (`to-approve`) was sent before, in vain. The outcomes of this attempt are
    // counted, too.
    const isTried = request.state === 'sent' || request.state === 'to-approve'
    const outcomes = isTried ? resultsOf(request).map(({ outcome }) => outcome) : []
    const { kind } = accessOf(request)

    for (const outcome of outcomes) {
      grantsTotal.inc({
        kind,
        outcome: outcome.kind,
        reason: outcomeReason(outcome),
        told,
      })
    }

    if (told === 'at_once' && outcomes.length > 0) noteOutcome(requestOutcome(outcomes))
  },
} satisfies Kind

function outcomeReason(outcome: SendOutcome): string {
  if ('code' in outcome) return outcome.code
  return 'cause' in outcome ? outcome.cause : 'none'
}

/**
 * The entry of the audit trail for one outcome of a write. A later look, or a sender that was taken for dead, can bring a
 * second outcome, which has an entry of its own.
 */
function auditEntry(kept: Request, { n, write }: Send, done: SendResult): Entry {
  const outcome = codeOf(done.outcome)
  const { id, askerId, sender, sends, attempt, approval } = kept
  const { kind, email, there, endId, ...what } = asAccess(write)
  const act = actOf(kind)
  const { had = there?.permissions, has } = done

  // Each attempt at an approval has its own entry.
  const attemptId = approval === undefined ? id : `${id}:${attempt}`
  const ownId = sends.length === 1 ? attemptId : `${attemptId}.${n}`
  // Tries of one account to take back the same access share an entry, as long as the tries come out the same.
  const reference = kind === 'take-back' && endId ? `${endId}:${sender.userId}` : ownId

  const approved = askerId === sender.userId ? {} : { userId: askerId, approverId: sender.userId }

  return {
    ...sender,
    ...what,
    email: email || undefined,
    personId: there?.userId,
    had,
    has,
    until: kept.endsAt,
    ...approved,
    key: `${act}:${reference}:${outcome}`,
    act,
    outcome,
    reference,
  }
}

/** Tells somebody that they got access, in the background. Never rejects: a notice that fails is lost. */
async function tellRecipient(house: House, request: Request, { write }: Send): Promise<void> {
  const { sender, askerId, about, endsAt } = request
  const { slack } = house
  const { email, containerId, there } = asAccess(write)
  const tell = async () => {
    const recipientId =
      email && (await unlessSlackFails(slack.people.memberWith(email), ['missing_scope']))
    if (!recipientId || recipientId === sender.userId || recipientId === askerId) return

    const giver = (await slack.people.inLine(sender.userId)) ?? 'A colleague'
    const where = containerInWords(house, sender, containerId)
    const given = there === undefined ? 'gave you access to' : 'changed your access to'
    const until = endsAt === undefined ? '' : ` until ${date(seconds(endsAt))}`
    const news = `${escapeText(`${giver} ${given} ${where} in monitoring`)}${until}.`

    const { channelId, threadTs: ts } = about ?? {}
    const link = about?.isForAll && channelId && ts && (await slack.linkOf({ channelId, ts }))
    const next = link
      ? linkTo(link, 'See the alert it’s for.')
      : 'To look up its alerts in Slack, type /alert help.'

    await slack.post(recipientId, sayMarked(`${news} ${next}`))
  }

  await slack.work
    .run(tell)
    .catch((error: unknown) =>
      house.log.failedJob('warn', { err: error }, 'somebody who got access could not be told'),
    )
}
