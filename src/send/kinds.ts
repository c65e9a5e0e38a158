// Kinds of requests: the features say how each write is made at the service, what is written down of it, and how its
// outcome is told late.
import type { House } from '../house.ts'
import type { Alert, WriteResult } from '../monitor/client.ts'
import type { Settled, Sight } from './outcome.ts'
import type { Request, Send } from './request.ts'
import type { ShownAlert, Write } from './writes.ts'

/** What became of a write, as far as that is known. */
export interface Performed {
  readonly outcome: Settled
  /** Why it was refused, in the service's own words. Apart from the outcome, which is stored and which others read. */
  readonly reason?: string | undefined
  /** What the list of people showed last of somebody who may have been added. */
  readonly saw?: Sight | undefined
  /** The alert as its sender’s token showed it last. */
  readonly alert?: Alert | undefined
  /** How it stood before; undefined where nobody could read it. */
  readonly before?: ShownAlert | undefined
  /** As it was read once more after the write was sent, if it was. */
  readonly after?: Alert | undefined
  /** Flags of somebody who was on the container already, as they were read before and after. */
  readonly had?: readonly string[] | undefined
  readonly has?: readonly string[] | undefined
}

/** What is known of a write besides its outcome. */
export type Noted = Pick<Performed, 'before' | 'after' | 'had' | 'has'>

/** `late`: by whoever came after its sender. */
export type Told = 'at_once' | 'late'

/** What a feature does about requests of one kind. */
export interface Kind {
  /**
   * Asks the service at most once for the write itself, and never rejects for what the service does.
   * @param begin - Commits that the request goes out; false when it must not any more.
   * @returns Undefined when nothing was sent for that reason.
   */
  perform(
    house: House,
    token: string,
    write: Write,
    begin: () => Promise<boolean>,
  ): Promise<Performed | undefined>
  /** Writes down what became of a send, once, however often it is called. */
  record(house: House, request: Request, send: Send, outcome: Settled, noted: Noted): Promise<void>
  /**
   * Tells what is still to be told of a request, when that could not be done at once. Asks the service nothing.
   * @throws Where somebody could not be told: it is called again later.
   */
  tellLate(house: House, request: Request): Promise<void>
  /** Counts what has become of it, once somebody was told; at once, that is how whatever tells it ends. */
  count(request: Request, told: Told): void
}

/** `approval`: of what a colleague has to approve, whatever is written then. */
export type Kinds = Readonly<Record<Write['kind'] | 'approval', Kind>>

export function kindOf({ kinds }: House, { id, approval, sends: [first] }: Request): Kind {
  if (first === undefined) throw new Error(`request ${id} has nothing to write`)
  return kinds[approval === undefined ? first.write.kind : 'approval']
}

/** Writes down what became of everything, for a sender that may have died before it could. */
export async function recordAll(house: House, request: Request): Promise<void> {
  for (const send of request.sends) {
    const { outcome } = send
    if (outcome === undefined || outcome.kind === 'not-sent') continue
    await kindOf(house, request).record(house, request, send, outcome, {})
  }
}

/** By the service's answer alone. */
export function answered(result: WriteResult): Performed {
  if (result.kind !== 'not-done') return { outcome: result }
  return { outcome: { kind: result.kind, code: result.code }, reason: result.reason }
}

/** Pauses before the looks that follow a write, in milliseconds. */
const lookPausesMs = [0, 1_000, 2_000]

/** Looks at once, after one second and after three, until a look has found all it can find. */
export async function lookAfter(
  { wait, stopping }: House,
  look: () => Promise<'enough' | 'again'>,
): Promise<void> {
  for (const pauseMs of lookPausesMs) {
    if (pauseMs > 0) await wait(pauseMs)
    if ((await look()) === 'enough' || stopping.aborted) return
  }
}
