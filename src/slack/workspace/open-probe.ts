// Asks Slack about the bot where no bot runs.
import { WebClient } from '@slack/web-api'
import type { HttpsProxy } from '../../http/proxy.ts'
import type { Log } from '../../log/log.ts'
import { clientOptionsFor } from '../client/options.ts'
import { createTransport } from '../client/transport.ts'
import { createSlackProbe, type SlackProbe } from './probe.ts'

export interface OpenProbe extends SlackProbe {
  /** Asks for a socket and opens none. @param appToken - Of the app, not of the bot. */
  offersSocket(appToken: string): Promise<void>
  close(): Promise<void>
}

/** @param slack.apiUrl - Ends with a slash. */
export function openSlackProbe(slack: {
  readonly botToken: string | undefined
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}): OpenProbe {
  const transport = createTransport(slack.proxy)
  const options = clientOptionsFor(slack.apiUrl, transport.fetch, slack.log)
  const web = new WebClient(slack.botToken, options)
  return {
    ...createSlackProbe(async () => web),
    async offersSocket(appToken) {
      // Given as an argument, the token would be a field of the form as well, and Slack refuses that
      // (slackapi/node-slack-sdk#1498).
      await new WebClient(appToken, options).apps.connections.open()
    },
    close: () => transport.destroy(),
  }
}
