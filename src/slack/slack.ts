// The room put together: everything that knows how Slack is talked to, for one bot token.
import { WebClient } from '@slack/web-api'
import type { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import { clientOptionsFor } from './client-options.ts'
import { createEventGuard } from './event-guard.ts'
import { createGate, type Gate, mostWork } from './gate.ts'
import { createGuard, type Guard } from './guard.ts'
import type { Clock } from './ids.ts'
import { type Installed, learnInstallation } from './installation.ts'
import { nobodyCounts, type SlackObserver } from './observer.ts'
import type { Once } from './once.ts'
import { createOutbound, type Outbound } from './outbound.ts'
import { createPatience, type Patiently } from './patience.ts'
import { createPeople, type People } from './people.ts'
import { createPersonLimit, type PersonLimit } from './person-limit.ts'
import { createDelivery, type Delivery } from './place.ts'
import { createSlackProbe, type SlackProbe } from './probe.ts'
import { slackUrls } from './response-urls.ts'
import { createSaidGuard } from './said-guard.ts'
import { createScopes, type Scopes } from './scopes.ts'
import { createRun } from './tell-failures.ts'
import { createTransport } from './transport.ts'
import { createPersonFrom } from './who.ts'
import { createWork, type Work } from './work.ts'

export interface SlackRoom {
  readonly installed: Installed
  readonly scopes: Scopes
  readonly probe: SlackProbe
  readonly patiently: Patiently
  readonly outbound: Outbound
  readonly delivery: Delivery
  readonly people: People
  readonly guard: Guard
  readonly work: Work
  /** For events, which no guard counts. */
  readonly gate: Pick<Gate, 'admits'>
  /** For what one request asks for on top. */
  readonly limit: PersonLimit
  /** For Bolt, which makes clients of its own. */
  readonly clientOptions: ReturnType<typeof clientOptionsFor>
  /** Asks Slack no more, and closes what is open. */
  close(): Promise<void>
}

export function openSlack(room: {
  readonly botToken: string
  /** Ends with a slash. */
  readonly apiUrl: string
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  readonly onRefused: (error: ConfigError) => void
  readonly once: Once
  /** What a person may ask for. */
  readonly perMinute: number
  /** Work under way at which others are sent away; for tests. */
  readonly most?: number | undefined
  readonly observer?: SlackObserver
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}): SlackRoom {
  const { botToken, apiUrl, log, wait, most = mostWork, observer = nobodyCounts } = room
  const transport = createTransport({ apiUrl, onCall: observer.called })
  const clientOptions = clientOptionsFor(apiUrl, transport.fetch, log)
  const web = new WebClient(botToken, clientOptions)
  const installed = learnInstallation({ ...room, web })
  const { scopes, probe } = createScopes({ probe: createSlackProbe(web), installed, log })
  const patiently = createPatience(wait, () => observer.triedAgain('slack'))
  const isSlackUrl = slackUrls(apiUrl)
  const outbound = createOutbound({ web, fetch: transport.fetch, log, patiently, isSlackUrl })
  const delivery = createDelivery(outbound)
  const people = createPeople(web, installed, patiently)
  const work = createWork()
  const event = createEventGuard({ ...room, installed, work, observer })
  const run = createRun({ delivery, work, log })
  const personFrom = createPersonFrom(installed)
  const onHeldBack = () => observer.heldBack('person')
  const limit = createPersonLimit({ perMinute: room.perMinute, now: room.now, onHeldBack })
  const gate = createGate({ work, limit, delivery, observer, log, most })
  const said = createSaidGuard({ ...room, installed, people, scopes, delivery, run, event, gate })
  const guard = createGuard({ installed, personFrom, delivery, run, event, said, gate })
  return {
    installed,
    scopes,
    probe,
    patiently,
    outbound,
    delivery,
    people,
    guard,
    work,
    gate,
    limit,
    clientOptions,
    async close() {
      installed.stop()
      await transport.destroy()
    },
  }
}
