// The request that is being handled: what its log lines, its error message and its figures are known by.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { MonitorErrorCode } from '../errors.ts'

/**
 * How a request ended. `user-error`: the asker can mend it. `connect`: they were asked to connect an account first.
 * `service-…`: the service did not do it, for whoever asked to read or to grant. `uncertain`: of a grant, for one of its
 * people at least. `partly`: granted to some of several people. `needs-approval`: held until a colleague approves it.
 * `limited`: it was not begun. `stopped`: nothing was sent any more, as Bellhop stopped. `failed`: a defect of ours, or a
 * Slack that does not take the answer.
 */
export type RequestOutcome =
  | 'ok'
  | 'user-error'
  | 'connect'
  | `service-${MonitorErrorCode | 'changed' | 'no-operation'}`
  | 'uncertain'
  | 'partly'
  | 'needs-approval'
  | 'limited'
  | 'stopped'
  | 'replayed'
  | 'failed'

/**
 * The topic of a request: `grant` where access may have been given, `act` where an alert may have been changed, `alert`
 * where nothing was. So doctor, accounts and settings are `alert`, too: operators know these words, and they stay.
 */
export type About = 'alert' | 'act' | 'grant'

export interface HandledRequest {
  /** Short; the reference in error messages. */
  readonly id: string
  /** Undefined until it is known. */
  about?: About
  /** The command, button, form, shortcut or event, by its name; undefined where nothing listens to it. */
  name?: string
  /** Ids of Slack of who asks, and where, as far as they are known. */
  user?: string | undefined
  workspace?: string | undefined
  outcome: RequestOutcome
  /** Numbers of the audit records that were written for it. */
  readonly recorded: number[]
  /** Told once what it asks for stands in the database: from then on it isn't lost. */
  onKept?: () => void
  /** A text of theirs that comes back to them with the word about a failure. Raw. */
  toReturn?: string
}

/** `request`: undefined in what the bot does of its own accord. */
interface Doing {
  readonly id: string
  readonly request: HandledRequest | undefined
}

const current = new AsyncLocalStorage<Doing | undefined>()
const newId = () => randomUUID().slice(0, 8)

/** Runs `work`, and whatever it starts, as one request with an id of its own. */
export function asRequest<T>(work: (request: HandledRequest) => T): T {
  const id = newId()
  const request: HandledRequest = { id, outcome: 'ok', recorded: [] }
  return current.run({ id, request }, () => work(request))
}

/** Runs `work` under the id that there is; where there is none, under one of its own. */
export function withId<T>(work: () => T): T {
  return current.getStore() === undefined ? current.run({ id: newId(), request: undefined }, work) : work()
}

/** Runs work that a request only happens to start: it is done for others as well, or for nobody. */
export function outsideRequest<T>(work: () => T): T {
  return current.run(undefined, work)
}

/** The request that this is done for; undefined in what the bot does of its own accord. */
export const requestNow = (): HandledRequest | undefined => current.getStore()?.request

/** Id of the work under way in the log, in the service's log too: a request's, or one of the bot's own. */
export const idNow = (): string | undefined => current.getStore()?.id

const note = (known: Partial<HandledRequest>) => void Object.assign(requestNow() ?? {}, known)

/** Says what the request that this is done for is about, unless that is known. */
export const noteAbout = (about: About): void => setAbout(requestNow()?.about ?? about)

/** Says what the request is about, also where something else was noted: a line may have several topics. */
export const setAbout = (about: About): void => note({ about })

/** Says whose the request that this is done for is, as far as it is known. */
export const noteSender = (workspace: string, user = requestNow()?.user): void => note({ workspace, user })

/** Says which text comes back to whoever asks, should it fail. Raw. */
export const noteText = (toReturn: string): void => note({ toReturn })

/** Says that what the request asks for is kept. */
export const noteKept = (): void => requestNow()?.onKept?.()

/** Says how the request that this is done for ends, as far as it is known now. */
export const endsAs = (outcome: RequestOutcome): void => note({ outcome })
