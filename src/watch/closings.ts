// Bellhop reads somewhere that an alert is closed: its other live cards are looked at at once, each with its own watchers'
// tokens.
import { hash } from 'node:crypto'
import type { CallOthersIfClosed } from '../alert/room.ts'
import type { Log } from '../log/log.ts'
import type { Once } from '../slack/guard/once.ts'
import type { Work } from '../work/under-way.ts'
import type { Watches } from './watches.ts'

/** Every card that is looked at reads the alert again. Within this time, that is no news. */
const sameNewsMs = 60_000

interface ClosingsRoom {
  readonly watches: Pick<Watches, 'makeDue'>
  readonly once: Pick<Once, 'claim'>
  readonly work: Pick<Work, 'track'>
  readonly log: Log
}

/** In the background. Nobody waits for it, and it never rejects. */
export function createCallOthersIfClosed({ watches, once, work, log }: ClosingsRoom): CallOthersIfClosed {
  return (workspaceId, alert, { ks, but }) => {
    if (alert.closedTimestamp === null) return
    const news = hash('sha256', JSON.stringify([alert.ks, alert.closedTimestamp]), 'base64url')
    const calling = async () => {
      const isNews = await once.claim(workspaceId, `closed ${news}`, sameNewsMs)
      if (isNews) await watches.makeDue(workspaceId, [...new Set([ks, alert.ks])], but)
    }
    void work.track(
      calling().catch((error: unknown) =>
        log.failedJob('warn', { err: error }, 'other live cards of a closed alert could not be made due'),
      ),
    )
  }
}
