// Books of a play: the rules that every one keeps, and which of them it has broken. Pure.
import type { SendOutcome } from '../../../src/send/outcome.ts'
import { joinableMs, type KeptWish, type Send } from '../../../src/send/wishes.ts'
import { type AlertWrite, fingerprintOf } from '../../../src/send/writes.ts'
import { type Books, senderId } from './play.ts'
import { type Happening, kinds, type Manners } from './service.ts'

/** In words; none where all holds. */
export function brokenIn(books: Books): readonly string[] {
  const { wishes, thrown } = books
  return [
    ...thrown.map((error) => `it threw ${error instanceof Error ? error.stack : String(error)}`),
    ...sentTwice(books),
    ...[...wishes].flatMap(([id, wish]) => (wish === undefined ? [] : wrongIn(books, id, wish))),
    ...books.told.flatMap(({ wishId, outcomes, when }) =>
      (wishes.get(wishId)?.sends ?? []).flatMap((send, index) =>
        untrue(books, wishId, send, outcomes[index]).map((what) => `${wishId} was told ${when}: ${what}`),
      ),
    ),
    ...books.recorded.flatMap(({ wishId, n, outcome }) => {
      const send = wishes.get(wishId)?.sends.find((one) => one.n === n)
      if (send === undefined) return [`${wishId}.${n} is recorded and not kept`]
      return untrue(books, wishId, send, outcome).map((what) => `${wishId} is recorded: ${what}`)
    }),
    ...disagreeing(books),
  ]
}

/** Of each send one outcome at most is recorded at first hand; whatever else is says that it corrects it. */
function disagreeing({ recorded }: Books): readonly string[] {
  const first = new Map<string, Set<string>>()
  for (const { wishId, n, outcome, isCorrection } of recorded) {
    if (isCorrection) continue
    const key = `${wishId}.${n}`
    first.set(key, (first.get(key) ?? new Set()).add(JSON.stringify(outcome)))
  }
  return [...first].flatMap(([key, outcomes]) =>
    outcomes.size > 1 ? [`${key} is recorded at first hand as ${[...outcomes].join(' and as ')}`] : [],
  )
}

/** No intent sends two requests for one write, and of equal ones no two within the time in which they join. */
function sentTwice({ service: { requests }, slept }: Books): readonly string[] {
  return requests.flatMap((one, index) =>
    requests.slice(index + 1).flatMap((other) => {
      if (fingerprintOf(one.write) !== fingerprintOf(other.write)) return []
      if (one.intent === other.intent) return [`${one.intent} sent ${one.write.kind} twice`]
      // What is refused for its token, or for what that lacks on an alert, is asked again once that is mended.
      const mendable = one.write.kind === 'add-user' ? ['refused'] : ['refused', 'forbidden']
      const isRefused = one.says.kind === 'not-done' && mendable.includes(one.says.code)
      // Whoever slept with the request in hand sends it when they wake; for everybody else they were dead.
      return slept || isRefused || other.at - one.at >= joinableMs
        ? []
        : [`${one.intent} and ${other.intent} both sent ${one.write.kind} within ${other.at - one.at} ms`]
    }),
  )
}

/** Every intent ends in a verdict that its sender was told. */
function wrongIn({ told }: Books, id: string, wish: KeptWish): readonly string[] {
  // Another stands for it, and is looked at by itself.
  if (wish.id !== id) return []
  if (wish.state !== 'settled') return [`${id} is ${wish.state} for good`]
  const open = wish.sends.filter(({ outcome }) => outcome === undefined)
  if (open.length > 0) return [`${id} has sends without an end: ${open.map(({ n }) => n).join()}`]
  const last = told.findLast(({ wishId }) => wishId === id)
  if (last === undefined) return wish.sends.every(({ isJoined }) => isJoined) ? [] : [`${id} was never told`]
  // What joined another is corrected, if need be, where that one is told: to the same person.
  const own = (_: unknown, index: number) => wish.sends[index]?.isJoined === false
  const ended = JSON.stringify(wish.sends.map(({ outcome }) => outcome).filter(own))
  const said = JSON.stringify(last.outcomes.filter(own))
  return said === ended ? [] : [`${id} ended as ${ended}, and was told last as ${said}`]
}

/** What is called done is so at the service; what is called not done, or never sent, is not its sender’s doing. */
function untrue(
  { service, askedAt }: Books,
  wishId: string,
  { write, isJoined }: Send,
  outcome: SendOutcome | undefined,
): readonly string[] {
  const own = service.requests.filter(
    (one) => one.intent === wishId && fingerprintOf(one.write) === fingerprintOf(write),
  )
  switch (outcome?.kind) {
    case 'not-sent':
      return own.length > 0 ? [`${write.kind} was not sent, and it was`] : []
    case 'not-done':
      return own.some(({ says }) => says.kind !== 'not-done') && !isJoined
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
      // Of what it joined, the request may have been before.
      const since = isJoined ? 0 : (askedAt.get(wishId) ?? 0)
      const fresh = history.filter((one) => makes(write, one, service) && one.visibleAt >= since)
      if (fresh.length === 0) return [`${write.kind} is done (${outcome.on}), and is not`]
      const isOwn = ({ kind, actorId }: Happening) => actorId === senderId && kind === kinds[write.kind]
      if (outcome.on === 'seen' && !fresh.some(isOwn)) return [`${write.kind} is theirs, and is not`]
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
