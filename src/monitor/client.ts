// The monitoring service: reads one alert, the open ones of an asset, and what is known of a container; tries a token;
// and writes (writes.ts).
// Every call carries the token of the person it is for. Knows nothing of Slack, nor of who asks.
// Source: the API document of the service.

import { MonitorError } from '../errors.ts'
import { createAgent, type HttpsProxy } from '../http/agent.ts'
import { exchange } from '../http/exchange.ts'
import { parseJson } from '../http/read-body.ts'
import type { Log } from '../log/log.ts'
import { withId } from '../log/request.ts'
import { createWork } from '../work/under-way.ts'
import { alertPath, parseBaseUrl, plainHeaders, read, type Service, startDeadline } from './call.ts'
import {
  type AssetAlerts,
  type ContainerAlerts,
  type ContainerPeople,
  type FoundContainer,
  type OwnPermissions,
  readAssetAlerts,
  readContainerAlerts,
  readContainerName,
  readOwnPermissions,
  readPeople,
} from './containers.ts'
import { type Calls, nobodyListens, reasonOf, refusal, silence } from './failures.ts'
import { timed } from './operations.ts'
import { type Alert, isSameKey, parseAlertAnswer } from './schema.ts'
import {
  addUser,
  changeUser,
  longestReason,
  type ServiceWrites,
  type WriteResult,
  writeToAlert,
} from './writes.ts'

export type { AssetAlerts, ContainerAlerts, ContainerPeople, FoundContainer } from './containers.ts'
export type { Alert, ContainerPerson, OpenAlert } from './schema.ts'
export type { ContainerUser, WriteResult } from './writes.ts'

export interface Monitor extends ServiceWrites {
  /**
   * Reads one alert with its history.
   *
   * @param ks - As typed, not yet escaped; may hold any character.
   * @returns Its `ks` as the service writes it, which may differ from `ks` in capitals or encoding.
   * @param tries - At most so many, while another may help and there is time. Default 4.
   * @throws MonitorError any code; `bad-request` and `refused` also unsent, for a key or token that cannot be sent.
   * Source: the API document of the service, “Query alert”.
   */
  readAlert(token: string, ks: string, tries?: number): Promise<Alert>
  /**
   * Reads the open alerts of one asset: the way from an alert's web link to its key.
   *
   * @param assetId - Digits.
   * @throws MonitorError any code but `bad-request` and `not-found`; `forbidden` where the token lacks API and READ on its container.
   * Source: the service's documentation of “Query alerts” of an asset.
   */
  openAlertsOf(token: string, assetId: string): Promise<AssetAlerts>
  /**
   * Reads who this token sees on a container. Not everybody: who isn't listed may be there all the same.
   * @throws MonitorError any code but `bad-request` and `not-found`; `forbidden` where the token lacks API and READ there.
   */
  usersOf(token: string, containerId: number): Promise<ContainerPeople>
  /** Reads a container's name. @throws MonitorError as `usersOf`. */
  containerOf(token: string, containerId: number): Promise<FoundContainer>
  /** Reads the open alerts of a container. @throws MonitorError as `usersOf`. */
  openAlertsIn(token: string, containerId: number): Promise<ContainerAlerts>
  /** Reads what the token may do on a container. @throws MonitorError as `usersOf`, but not `forbidden`. */
  ownPermissions(token: string, containerId: number): Promise<OwnPermissions>
  /**
   * Asks whether the service knows a token, by reading a key that cannot exist.
   *
   * @throws MonitorError `refused` (401, or it cannot be sent), `unreachable`, `malformed` (something else answers:
   * a redirect, a proxy, a page).
   */
  tryToken(token: string): Promise<TokenTrial>
  /** Asks once, without a token, whether anything answers. Never throws for what the network or the service does. */
  probe(): Promise<Probe>
  /** Lets calls under way end, within their budget; later ones fail as `unreachable`. */
  close(): Promise<void>
}

/**
 * What the service says of a token. `forbidden`: it knows it, and it lacks rights. `untested`: the service is busy and
 * said nothing of it.
 */
export type TokenTrial = 'accepted' | 'forbidden' | 'untested'

export interface MonitorOptions {
  /** http or https; may hold a path and a slash at its end. */
  readonly baseUrl: string
  /** Total time of one call with all its tries, in milliseconds. Default 8,000. */
  readonly budgetMs?: number
  /** Largest answer that is read, in bytes. Default 4 MiB: 5,000 actions of 800 bytes. */
  readonly maxBodyBytes?: number
  /** Upper bound of the wait before the second try, in milliseconds, doubled for each further one. Default 200. */
  readonly retryDelayMs?: number
  /** From 0 up to, not including, 1. Default `Math.random`. */
  readonly random?: () => number
  readonly log?: Log
  /** Told how each call ended. */
  readonly outage?: Calls
  /** Asks for nothing but reading alerts and adding users. Default: false. */
  readonly basic?: boolean
  /** Default: the service is reached directly. */
  readonly proxy?: HttpsProxy | undefined
  /** Certificates (PEM) that are trusted beside those that Node trusts. */
  readonly authorities?: readonly string[] | undefined
}

/** Some visible text, so that it passes as a key, which no alert has. */
const impossibleKey = 'bellhop-tries-a-token'

// Leaves time for another try when an address does not answer at all.
const connectTimeoutMs = 3_000

export function createMonitor(options: MonitorOptions): Monitor {
  const { baseUrl, budgetMs = 8_000, maxBodyBytes = 4 * 1024 * 1024, proxy, authorities } = options
  const { retryDelayMs: delayMs = 200, random = Math.random, log } = options
  const { outage = nobodyListens, basic = false } = options
  // The deadline ends what takes long. As many connections as there are calls: a cap of 64 was measured to hurt.
  const connectMs = Math.min(connectTimeoutMs, budgetMs)
  const how = { proxy, authorities, answerMs: 0 }
  const agent = createAgent({ ...how, connectMs, mostBytes: maxBodyBytes })
  const service: Service = {
    address: parseBaseUrl(baseUrl),
    agent,
    agentOfOne: (around) => createAgent({ ...how, connectMs: budgetMs, mostBytes: longestReason, around }),
    basic,
    budgetMs,
    delayMs,
    random,
    log,
    outage,
  }
  const work = createWork()
  let isClosed = false

  /** Every call has an id, which the service gets as well. */
  function track<T>(begin: () => Promise<T>): Promise<T> {
    return work.track(withId(begin))
  }

  function unlessClosed<T>(begin: () => Promise<T>): Promise<T> {
    return isClosed ? Promise.reject(closed()) : track(begin)
  }

  async function once(write: () => Promise<WriteResult>): Promise<WriteResult> {
    return isClosed ? { kind: 'not-done', code: 'unreachable' } : track(write)
  }

  return {
    readAlert: (token, ks, tries) => unlessClosed(() => readAlert(service, token, ks, tries)),
    openAlertsOf: (token, assetId) => unlessClosed(() => readAssetAlerts(service, token, assetId)),
    usersOf: (token, containerId) => unlessClosed(() => readPeople(service, token, containerId)),
    containerOf: (token, containerId) => unlessClosed(() => readContainerName(service, token, containerId)),
    openAlertsIn: (token, containerId) =>
      unlessClosed(() => readContainerAlerts(service, token, containerId)),
    ownPermissions: (token, containerId) =>
      unlessClosed(() => readOwnPermissions(service, token, containerId)),
    tryToken: (token) => unlessClosed(() => tryToken(service, token)),
    addUser: (token, containerId, user) => once(() => addUser(service, token, containerId, user)),
    changeUser: (token, containerId, userId, how) =>
      once(() => changeUser(service, token, containerId, userId, how)),
    assignAlert: (token, ks, { userId, message }) =>
      once(() => writeToAlert(service, token, ks, 'assign', { userId, ...(message && { message }) })),
    commentOnAlert: (token, ks, message) =>
      once(() => writeToAlert(service, token, ks, 'message', { message })),
    closeAlert(token, ks, { message, isSolution }) {
      const body = { ...(message && { message }), ...(isSolution && { isSolution }) }
      return once(() => writeToAlert(service, token, ks, 'close', body))
    },
    async probe() {
      if (isClosed) return { kind: 'silent', reason: 'stopping' }
      return track(() => probe(service))
    },
    async close() {
      isClosed = true
      await work.done()
      await agent.destroy()
    },
  }
}

async function readAlert(
  service: Service,
  token: string,
  ks: string,
  tries: number | undefined,
): Promise<Alert> {
  const path = alertPath(service.address, ks, '?actions=kind,timestamp,data')
  const { status, text } = await read(service, 'read_alert', token, path, tries)
  if (status !== 200) throw refusal(status)
  const alert = parseAlertAnswer(text)
  // A cache on the way that mixes up answers must not make one person read another's alert.
  if (!isSameKey(ks, alert.ks)) throw new MonitorError('malformed', 'The answer is about another alert.')
  return alert
}

async function tryToken(service: Service, token: string): Promise<TokenTrial> {
  const path = alertPath(service.address, impossibleKey, '?fields=ks')
  const answer = await read(service, 'try_token', token, path).catch((error: unknown) => {
    if (error instanceof MonitorError && error.code === 'busy') return undefined
    throw error
  })
  if (answer === undefined) return 'untested'
  const { status, text } = answer
  if (status === 401) throw refusal(status)
  if (status === 403) return 'forbidden'
  // No proof but what only a known token gets.
  if (status === 400 || status === 404 || (status === 200 && isObject(parseJson(text)))) return 'accepted'
  throw new MonitorError('malformed', `Something else than the monitoring service answered (${status}).`)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function closed(): MonitorError {
  return new MonitorError('unreachable', 'Bellhop is stopping.')
}

/**
 * `answered`: any HTTP answer. A service that keeps its contract answers 401 (the API document, “Authentication”).
 * `silent`: none; `reason` is the system's code (`ECONNREFUSED`, `ENOTFOUND`, …), `timed-out` or `not-http`.
 */
export type Probe =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** From asking to the head of the answer, in milliseconds, connecting included. */
      readonly tookMs: number
    }
  | { readonly kind: 'silent'; readonly reason: string }

/** One GET without a token, which the service has to refuse. */
async function probe({ agent, address, budgetMs, log, outage }: Service): Promise<Probe> {
  const path = alertPath(address, impossibleKey, '?fields=ks')
  const request = { origin: address.origin, method: 'GET', path, headers: plainHeaders() } as const
  const done = timed('probe', log)
  const deadline = startDeadline(budgetMs)
  const from = performance.now()
  try {
    const limits = { wantsBody: () => false, signal: deadline.signal }
    const { status } = await deadline.race(exchange(agent, request, limits))
    done(status)
    outage.answered(status)
    return { kind: 'answered', status, tookMs: performance.now() - from }
  } catch (error) {
    const reason = reasonOf(error)
    done()
    outage.failed(silence(reason))
    return { kind: 'silent', reason }
  } finally {
    deadline.clear()
  }
}
