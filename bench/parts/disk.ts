// Part of the bench: what a slow disk changes. The same process without and with an fsync that takes its time.
import { once } from 'node:events'
import type { Cores } from '../cores.ts'
import { type Measured, percentile, takeNotes } from '../figures.ts'
import { bellhop } from '../servers/bellhop.ts'
import { withLoaded } from '../servers/server.ts'
import { openStage } from '../stage.ts'
import { commandMs, serviceMs, slackMs } from './latency.ts'

export interface DiskPlan {
  readonly rounds: number
  readonly warmUp: number
  /** Of each kind, in each round. */
  readonly commands: number
}

const fsyncMs = 10
const atATime = 10

export async function measureDisk(
  { rounds, warmUp, commands }: DiskPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('disk')
  const stage = await openStage({ cores })
  try {
    const { load, server } = await stage.start(
      withLoaded(await stage.fromSources(), 'slow-disk.ts'),
    )
    await load.commands(warmUp, atATime)
    for (let round = 0; round < rounds; round += 1) {
      for (const ms of [0, fsyncMs]) {
        const set = once(server.child, 'message')
        server.child.send(ms)
        await set
        const who = ms === 0 ? bellhop.sources : `the same, an fsync of ${ms} ms`
        const { count, seconds } = await load.commands(commands, atATime)
        note('commands', who, '/s', count / seconds)
        const [{ ackMs }] = await Promise.all([
          load.helpsMeanwhile(),
          load.commands(commands, atATime),
        ])
        note('/alert help while commands run: acks, p50', who, 'ms', percentile(ackMs, 0.5))
        note('/alert help while commands run: acks, p99', who, 'ms', percentile(ackMs, 0.99))
        const { lastPostMs } = await stage.slowly(slackMs, serviceMs, () =>
          load.commands(commands, atATime, commandMs),
        )
        note(
          `until the last post, ${atATime} at a time, p50`,
          who,
          'ms',
          percentile(lastPostMs, 0.5),
        )
      }
    }
    stage.books.add()
  } finally {
    await stage.close()
  }
  remark(
    `Disk: each time SQLite waits for the disk, the bot’s thread waits ${fsyncMs} ms more; ${atATime} commands at a time.`,
  )
  return measured()
}
