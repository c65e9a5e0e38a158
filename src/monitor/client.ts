// The monitoring service, by its client. Every call carries the token of the person it is for. Knows nothing of Slack, nor of
// who asks.
import { createAgent, type HttpsProxy } from '../http/http.ts'
import { type Log, withId } from '../log/log.ts'
import { createWork } from '../work/under-way.ts'
import { parseBaseUrl, type Service } from './call.ts'
import type { Outage } from './failures.ts'
import { readsOf } from './reads.ts'
import { longestReason, writesOf } from './writes.ts'

export type { Probe, TokenTrial } from './reads.ts'
export type { Alert, ContainerPerson } from './schema.ts'
export type { ContainerUser, WriteResult } from './writes.ts'

export type Monitor = ReturnType<typeof createMonitor>

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
  readonly outage?: Pick<Outage, 'ended'>
  /** Asks for nothing but reading alerts and adding users. Default: false. */
  readonly basic?: boolean
  /** Default: the service is reached directly. */
  readonly proxy?: HttpsProxy | undefined
  /** Certificates (PEM) that are trusted beside those that Node trusts. */
  readonly authorities?: readonly string[] | undefined
}

// Leaves time for another try when an address does not answer at all.
const connectTimeoutMs = 3_000

export function createMonitor(options: MonitorOptions) {
  const { baseUrl, budgetMs = 8_000, maxBodyBytes = 4 * 1024 * 1024, proxy, authorities } = options
  const { retryDelayMs: delayMs = 200, random = Math.random, log } = options
  const { outage = { ended: () => undefined }, basic = false } = options
  // The deadline ends what takes long. As many connections as there are calls: a cap of 64 was measured to hurt.
  const connectMs = Math.min(connectTimeoutMs, budgetMs)
  const how = { proxy, authorities, answerMs: 0 }
  const agent = createAgent({ ...how, connectMs, mostBytes: maxBodyBytes })
  const work = createWork()
  let isClosed = false
  const service: Service = {
    ...{ address: parseBaseUrl(baseUrl), agent, basic, budgetMs, delayMs, random, log, outage },
    agentOfOne: (around) => createAgent({ ...how, connectMs: budgetMs, mostBytes: longestReason, around }),
    call: (begin) => (isClosed ? undefined : work.track(withId(begin))),
  }
  return {
    ...readsOf(service),
    ...writesOf(service),
    /** Lets calls under way end, within their budget; later ones fail as `unreachable`. */
    async close(): Promise<void> {
      isClosed = true
      await work.done()
      await agent.destroy()
    },
  }
}
