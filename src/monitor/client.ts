// The monitoring service's client. Every call carries the token of the person it is for. Knows nothing of Slack.
import { MonitorError } from '../errors.ts'
import { createAgent } from '../http/http.ts'
import { withId } from '../log/log.ts'
import { createWork } from '../work/under-way.ts'
import { baseAddress, defaults, type MonitorOptions, type Service } from './call.ts'
import { readsOf } from './reads.ts'
import { createWrites, longestReason } from './writes.ts'

export type Monitor = ReturnType<typeof createMonitor>

// Leaves time for another try when an address does not answer at all.
const connectTimeoutMs = 3_000
/** The most bytes of an answer: room for 5,000 actions (entries of an alert's history) of 800 bytes. */
const mostBytes = 4 * 1024 * 1024

export function createMonitor(options: MonitorOptions) {
  const { budgetMs = defaults.budgetMs, proxy, authorities } = options
  // A call that takes long is ended by its deadline alone. Connections have no cap: a cap of 64 was measured to hurt.
  const how = { proxy, authorities, answerMs: 0 }
  const agent = createAgent({ ...how, connectMs: Math.min(connectTimeoutMs, budgetMs), mostBytes })
  const work = createWork()
  let isClosed = false
  const service: Service = {
    ...defaults,
    ...options,
    address: baseAddress(options.apiUrl),
    agent,
    agentOfOne: (around) =>
      createAgent({ ...how, connectMs: budgetMs, mostBytes: longestReason, around }),
    async call(begin) {
      if (isClosed) throw new MonitorError('unreachable', 'Bellhop is stopping.')
      return work.track(withId(begin))
    },
  }
  return {
    ...readsOf(service),
    ...createWrites(service),
    /** Lets calls under way end, within their budget; later ones fail as `unreachable`. */
    async close(): Promise<void> {
      isClosed = true
      await work.done()
      await agent.destroy()
    },
  }
}
