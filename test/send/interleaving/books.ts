// Books of a play: the rules that every one keeps, and which of them it has broken. Pure.
import { type AlertWrite, fingerprintOf, type SendOutcome, stopped } from '../../../src/send/outcome.ts'
import type { Request, Send } from '../../../src/send/request.ts'
import { sameMs } from '../../../src/send/send.ts'
import { type Books, senderId } from './play.ts'
import { type Happening, kinds, type Manners } from './service.ts'

/** In words; none where all holds. */
export function brokenIn(books: Books): readonly string[] {
  const { kept, thrown } = books
  return [
    ...thrown.map((error) => `it threw ${error instanceof Error ? error.stack : String(error)}`),
    ...sentTwice(books),
    ...[...kept].flatMap(([id, request]) => (request === undefined ? [] : wrongIn(books, id, request))),
    ...books.told.flatMap(({ requestId, outcomes, when }) =>
      (kept.get(requestId)?.sends ?? []).flatMap((send, index) =>
        untrue(books, requestId, send, outcomes[index]).map(
          (what) => `${requestId} was told ${when}: ${what}`,
        ),
      ),
    ),
    ...books.recorded.flatMap(({ requestId, n, outcome }) => {
      const send = kept.get(requestId)?.sends.find((one) => one.n === n)
      if (send === undefined) return [`${requestId}.${n} is recorded and not kept`]
      return untrue(books, requestId, send, outcome).map((what) => `${requestId} is recorded: ${what}`)
    }),
    ...disagreeing(books),
  ]
}

/** Of each send one outcome at most is recorded, besides the doubt about a sender that came back. */
function disagreeing({ recorded }: Books): readonly string[] {
  const first = new Map<string, Set<string>>()
  for (const { requestId, n, outcome } of recorded) {
    if (isDoubt(outcome)) continue
    const key = `${requestId}.${n}`
    first.set(key, (first.get(key) ?? new Set()).add(JSON.stringify(outcome)))
  }
  return [...first].flatMap(([key, outcomes]) =>
    outcomes.size > 1 ? [`${key} is recorded as ${[...outcomes].join(' and as ')}`] : [],
  )
}

const isDoubt = (outcome: SendOutcome | undefined) => JSON.stringify(outcome) === JSON.stringify(stopped)

/**
 * No intent sends two requests for one write, and of equal ones that were asked within ten seconds one is sent, unless
 * the service refused the first.
 */
function sentTwice({ service: { requests }, claimedAt, kept, sleptMs }: Books): readonly string[] {
  const writesOf = (intent: string) => (kept.get(intent)?.sends ?? []).map(({ write }) => write)
  return requests.flatMap((one, index) =>
    requests.slice(index + 1).flatMap((other) => {
      const isSame = fingerprintOf([one.write]) === fingerprintOf([other.write])
      if (one.intent === other.intent) return isSame ? [`${one.intent} sent ${one.write.kind} twice`] : []
      const isEqual = fingerprintOf(writesOf(one.intent)) === fingerprintOf(writesOf(other.intent))
      const apartMs = Math.abs((claimedAt.get(other.intent) ?? 0) - (claimedAt.get(one.intent) ?? 0))
      // Whoever sleeps between their claim and what follows has claimed earlier than it seems.
      const isRefused = one.says.kind === 'not-done'
      return isEqual && !isRefused && apartMs < sameMs - sleptMs
        ? [`${one.intent} and ${other.intent} were both sent, asked within ${apartMs} ms`]
        : []
    }),
  )
}

/** Every intent ends in a verdict that its sender was told; where they slept, a doubt may have been told after it. */
function wrongIn({ told, slept }: Books, id: string, request: Request): readonly string[] {
  if (request.state !== 'ended') return [`${id} is ${request.state} for good`]
  const open = request.sends.filter(({ outcome }) => outcome === undefined)
  if (open.length > 0) return [`${id} has sends without an end: ${open.map(({ n }) => n).join()}`]
  const last = told.findLast(({ requestId }) => requestId === id)
  if (last === undefined) return [`${id} was never told`]
  return request.sends.flatMap(({ n, outcome }, index) => {
    const said = last.outcomes[index]
    if (JSON.stringify(said) === JSON.stringify(outcome) || (slept && isDoubt(said))) return []
    return [`${id}.${n} ended as ${JSON.stringify(outcome)}, and was told last as ${JSON.stringify(said)}`]
  })
}

/** What is called done is so at the service; what is called not done, or never sent, is not its sender’s doing. */
function untrue(
  { service, askedAt }: Books,
  requestId: string,
  { write }: Send,
  outcome: SendOutcome | undefined,
): readonly string[] {
  const own = service.requests.filter(
    (one) => one.intent === requestId && fingerprintOf([one.write]) === fingerprintOf([write]),
  )
  switch (outcome?.kind) {
    case 'not-sent':
      return own.length > 0 ? [`${write.kind} was not sent, and it was`] : []
    case 'not-done':
      return own.some(({ says }) => says.kind !== 'not-done')
        ? [`${write.kind} is not done (${outcome.code}), and nobody can tell`]
        : []
    case 'done': {
      if (write.kind === 'add-user')
        return service.isMember(write.email) ? [] : [`${write.email} is added, and is not`]
      const history = service.historyOf(write.ks)
      if (outcome.on === 'already')
        return history.some((one) => makes(write, one, service))
          ? []
          : [`${write.kind} is so already, and never was`]
      const since = askedAt.get(requestId) ?? 0
      const fresh = history.filter((one) => makes(write, one, service) && one.visibleAt >= since)
      if (fresh.length === 0) return [`${write.kind} is done (${outcome.on}), and is not`]
      const isOwn = ({ kind, actorId }: Happening) => actorId === senderId && kind === kinds[write.kind]
      if (outcome.on === 'by-another' && fresh.every(isOwn))
        return [`${write.kind} is another's, and is theirs`]
      return []
    }
    default:
      return []
  }
}

function makes(
  write: AlertWrite,
  { kind, ownerId, message, actorId }: Happening,
  { showsWords }: Manners,
): boolean {
  switch (write.kind) {
    case 'assign':
      return kind === 'Assign' && ownerId === write.ownerId
    case 'comment':
      // Where no words are shown, nobody can tell two comments of the same person from each other.
      return kind === 'Comment' && (message === write.message || (!showsWords && actorId === senderId))
    case 'close':
      return kind === 'Close' || kind === 'AutoClose'
    default:
      return write satisfies never
  }
}
