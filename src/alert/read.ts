// Reads an alert for somebody who asked for it, with their own token, and has it written down that they did. Whoever waits
// hears when it takes long.
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { whenSlow } from '../work/under-way.ts'
import { tokenForKey } from './input.ts'
import { renderStillAsking } from './render/no-card.ts'
import { isClosed } from './render/state.ts'

/** Thrown where the key that is to be read holds the asker's own token. */
export class OwnToken extends UserError {
  constructor() {
    super(tokenForKey)
  }
}

/** @throws OwnToken when the key holds the asker's own token; MonitorError when the service does not give the alert. */
export async function readForAsker(
  { monitor, audit }: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  ks: string,
): Promise<Alert> {
  // A key stands in an address, in the service's own log, and in the trail; and a token must not.
  if (ks.includes(token)) throw new OwnToken()
  try {
    const alert = await monitor.readAlert(token, ks)
    audit.lookedUp({ workspaceId, userId, ks, outcome: 'done' })
    return alert
  } catch (error) {
    if (error instanceof MonitorError) {
      audit.lookedUp({ workspaceId, userId, ks, outcome: `not-done:${error.code}` })
    }
    throw error
  }
}

/**
 * Reads an alert that somebody waits for. Where it is closed, its live cards are looked at.
 * @throws as `readForAsker`.
 */
export async function readAwaited(house: House, from: From, token: string, ks: string): Promise<Alert> {
  const { asker } = from
  const alert = await sayingWhenSlow(house, from, ks, readForAsker(house, asker, token, ks))
  if (isClosed(alert)) lookSoon(house, asker.workspaceId, alert, ks)
  return alert
}

/**
 * Waits for what the service is asked on behalf of somebody. When it takes long they hear so once, alone, where they
 * asked.
 */
export async function sayingWhenSlow<T>(
  { slowMs, slack, log }: House,
  { place }: From,
  ks: string,
  read: Promise<T>,
): Promise<T> {
  return whenSlow(read, slowMs, () =>
    slack.privately(place, renderStillAsking(ks)).catch((error: unknown) => {
      log.warn({ err: error }, 'nobody could be told that the service takes its time')
    }),
  )
}
