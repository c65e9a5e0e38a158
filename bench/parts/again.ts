// The same alert, asked for again within seconds: it need not be read again.
import type { Cores } from '../cores.ts'
import { atMost, type Measured, percentile, takeNotes } from '../figures.ts'
import { serviceMs, slackMs } from '../latencies.ts'
import { bellhopName } from '../servers/bellhop.ts'
import type { PeerName } from '../servers/peers.ts'
import { openStage } from '../stage.ts'

export interface AgainPlan {
  /** Each about another alert. */
  readonly rounds: number
  /** To each bot before anything is measured: the first calls of everything compile it. */
  readonly warmUp: number
  readonly repeats: number
  readonly beside: readonly PeerName[]
}

const what = 'the same alert again, p50'

export async function measureAgain(
  { rounds, warmUp, repeats, beside }: AgainPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, judge, remark, measured } = takeNotes('again')
  const stage = await openStage({ cores })
  try {
    const actors = await stage.startAll(beside)
    for (const { load } of actors) await load.commands(warmUp, 10)
    await stage.slowly(slackMs, serviceMs, async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, { name, load }] of actors.entries()) {
          const key = `bench-${9_000_000 + round * actors.length + index}`
          const { cardMs } = await load.commands(repeats + 1, 1, { key })
          note(what, name, 'ms', percentile(cardMs.slice(1), 0.5))
        }
      }
    })
    stage.books.add()
  } finally {
    await stage.close()
  }
  judge(what, bellhopName, atMost(84))
  remark(`Again: one person asks ${repeats} times more, one after the other, with the same latency.`)
  return measured()
}
