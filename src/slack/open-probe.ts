// Asks Slack about the bot where no bot runs.
import { WebClient } from '@slack/web-api'
import type { Log } from '../log.ts'
import { clientOptionsFor } from './client-options.ts'
import { createSlackProbe, type SlackProbe } from './probe.ts'
import { createTransport } from './transport.ts'

/** @param slack.apiUrl - Ends with a slash. */
export function openSlackProbe(slack: {
  readonly botToken: string | undefined
  readonly apiUrl: string
  readonly log: Log
}): SlackProbe & { close(): Promise<void> } {
  const transport = createTransport()
  const web = new WebClient(slack.botToken, clientOptionsFor(slack.apiUrl, transport.fetch, slack.log))
  return { ...createSlackProbe(async () => web), close: () => transport.destroy() }
}
