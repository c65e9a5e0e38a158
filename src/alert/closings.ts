// Bellhop reads somewhere that an alert is closed: its other live cards are looked at at once, each with its own watchers'
// tokens.
import { hash } from 'node:crypto'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'

/** Every card that is looked at reads the alert again. Within this time, that is no news. */
const sameNewsMs = 60_000

/**
 * In the background. Nobody waits for it, and it never rejects.
 * @param alert - As it was read; nothing is done for one that is open.
 * @param how.ks - The key that it was read by.
 * @param how.but - A card that shows it already.
 */
export function callOthersIfClosed(
  { storage, slack, log }: House,
  workspaceId: string,
  alert: Alert,
  { ks, but }: { readonly ks: string; readonly but?: string | undefined },
): void {
  if (alert.closedTimestamp === null) return
  const news = hash('sha256', JSON.stringify([alert.ks, alert.closedTimestamp]), 'base64url')
  const calling = async () => {
    const isNews = await storage.once.claim(workspaceId, `closed ${news}`, sameNewsMs)
    if (isNews) await storage.watches.makeDue(workspaceId, [...new Set([ks, alert.ks])], but)
  }
  void slack.work.track(
    calling().catch((error: unknown) =>
      log.failedJob('warn', { err: error }, 'other live cards of a closed alert could not be made due'),
    ),
  )
}
