// The room put together: everything that knows how Slack is talked to, for one bot token.
import { WebClient } from '@slack/web-api'
import type { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import { clientOptionsFor } from './client-options.ts'
import { createEventGuard } from './event-guard.ts'
import { createGuard, type Guard } from './guard.ts'
import type { Clock } from './ids.ts'
import { type Installed, learnInstallation } from './installation.ts'
import type { Once } from './once.ts'
import { createOutbound, type Outbound } from './outbound.ts'
import { createPatience, type Patiently } from './patience.ts'
import { createPeople, type People } from './people.ts'
import { createDelivery, type Delivery } from './place.ts'
import { createSlackProbe, type SlackProbe } from './probe.ts'
import { createOnlyOnce } from './replays.ts'
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
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}): SlackRoom {
  const { botToken, apiUrl, log, wait } = room
  const transport = createTransport()
  const clientOptions = clientOptionsFor(apiUrl, transport.fetch, log)
  const web = new WebClient(botToken, clientOptions)
  const installed = learnInstallation({ ...room, web })
  const { scopes, probe } = createScopes({ probe: createSlackProbe(web), installed, log })
  const patiently = createPatience(wait)
  const isSlackUrl = slackUrls(apiUrl)
  const outbound = createOutbound({ web, fetch: transport.fetch, log, patiently, isSlackUrl })
  const delivery = createDelivery(outbound)
  const people = createPeople(web, installed, patiently)
  const work = createWork()
  const event = createEventGuard({ ...room, installed, work })
  const run = createRun({ delivery, work, log })
  const personFrom = createPersonFrom(installed)
  const said = createSaidGuard({ ...room, installed, people, scopes, delivery, run, event })
  const onlyOnce = createOnlyOnce(room.once)
  const guard = createGuard({ installed, personFrom, onlyOnce, delivery, run, event, said })
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
    clientOptions,
    async close() {
      installed.stop()
      await transport.destroy()
    },
  }
}
