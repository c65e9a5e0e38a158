// The environment of a bot that works for the stand-ins. Nothing of this machine's own is in it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { MonitorService } from './monitor/start-monitor.ts'
import { alertUrl } from './monitor/world.ts'
import type { Slack } from './slack/simulator.ts'

/** What `npm run manifest` would register for these links. */
export const unfurlDomains = [new URL(alertUrl).hostname]

/**
 * @param world.folder - For its database.
 * @param world.isSocket - Socket Mode instead of signed requests.
 * @param world.publicPort - Where browsers reach the bot, when they are to: for the page where tokens are given.
 */
export function botSettings(world: {
  readonly slack: Slack
  readonly service: MonitorService
  readonly folder: string
  readonly isSocket: boolean
  readonly publicPort?: number | undefined
}): Readonly<Record<string, string>> {
  const { slack, service, folder, isSocket, publicPort } = world
  const reached: Record<string, string> = isSocket
    ? { SLACK_APP_TOKEN: slack.appToken }
    : { SLACK_SIGNING_SECRET: slack.signingSecret }
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...reached,
    SLACK_API_URL: slack.apiUrl,
    MONITOR_API_URL: service.url,
    MONITOR_ALERT_URL: alertUrl,
    ENCRYPTION_KEYS: `demo:${randomBytes(32).toString('base64')}`,
    // Often enough for somebody who looks on.
    WATCH_INTERVAL_SECONDS: '2',
    FOLLOW_INTERVAL_SECONDS: '2',
    // The gallery shows all there is within half a minute.
    RATE_PER_MINUTE: '120',
    DATABASE_URL: `file:${join(folder, 'bellhop.db')}`,
    HOST: '127.0.0.1',
    PORT: String(publicPort ?? 0),
    ...(publicPort !== undefined && { PUBLIC_URL: `http://127.0.0.1:${publicPort}` }),
  }
}
