// The alerts that are watched live on: something happens to one of them, every moment.
import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { SoakWorld } from './world.ts'

const everyMs = 500

/** @returns How many actions happened. */
export async function letAlertsLive(
  world: SoakWorld,
  ledger: Ledger,
  random: Random,
  untilMs: number,
): Promise<number> {
  let happened = 0
  while (Date.now() < untilMs) {
    const open = [...ledger.watched.values()].filter(({ ks }) => world.alerts.get(ks)?.isClosed === false)
    const one = open.length === 0 ? undefined : world.alerts.get(random.pick(open).ks)
    if (one !== undefined) {
      const { handle } = one
      const data = { userId: 7, message: `${handle.ks}/${one.actions}` }
      const what = random.weighed([
        [5, 'comment'],
        [2, 'hit'],
        [3, 'close'],
      ] as const)
      if (what === 'hit') handle.hit({ severity: Math.floor(random.between(1, 5)) })
      else {
        one.actions += 1
        happened += 1
        if (what === 'comment') handle.act({ kind: 'Comment', data })
        else {
          handle.close('Close', data)
          one.isClosed = true
        }
      }
    }
    await wait(random.between(everyMs * 0.5, everyMs * 1.5))
  }
  return happened
}
