// Slack, as operations use it: everything that knows how Slack is talked to, put together.
import type { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/agent.ts'
import type { Log } from '../log/log.ts'
import { createWork } from '../work/under-way.ts'
import { connectToSlack, createPatience } from './client/web-client.ts'
import { createLimit } from './guard/guard.ts'
import type { Clock } from './ids.ts'
import { createDelivery } from './outbound/delivery.ts'
import { createOutbound } from './outbound/outbound.ts'
import { learnBot } from './workspace/bot.ts'
import { createChannels } from './workspace/channels.ts'
import { createPeople } from './workspace/people.ts'
import { createSlackProbe } from './workspace/probe.ts'

/** It is for the one workspace, or organisation, that the bot token is of. */
export type Slack = ReturnType<typeof openSlack>

/** @param slack.apiUrl - Ends with a slash. `proxy`: undefined where Slack is reached directly. */
export function openSlack(slack: {
  readonly botToken: string
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  /** What a person may ask for; 0 sets no limit. */
  readonly perMinute: number
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Told when Slack refuses the token for good. */
  readonly onRefused: (error: ConfigError) => void
}) {
  const { perMinute, log, now, wait } = slack
  const { options: clientOptions, destroy } = connectToSlack(slack)
  const bot = learnBot({ ...slack, clientOptions })
  const { web, learned, isKnown, refusal, linkOf } = bot
  const patiently = createPatience(wait)
  const outbound = createOutbound({ web, options: clientOptions, patiently, log })
  return {
    ...outbound,
    ...createDelivery(outbound),
    ...{ learned, isKnown, refusal, linkOf, patiently },
    people: createPeople({ web, installation: learned, patiently, now }),
    channels: createChannels(web, now),
    probe: createSlackProbe(web),
    /** What one person may ask for. */
    limit: createLimit(perMinute, now),
    /** What is under way; a stop waits for it. */
    work: createWork(),
    /** For Bolt, which makes clients of its own. */
    clientOptions,
    /** Asks Slack no more, and closes what is open. */
    async close(): Promise<void> {
      bot.stop()
      await destroy()
    },
  }
}
