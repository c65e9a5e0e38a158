// Part of the bench: what a command costs from end to end: verified, acked, the alert read, its card and its thread
// posted.
import type { Cores } from '../cores.ts'
import { atLeast, atMost, type Measured, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { peers } from '../servers/peers.ts'
import { openStage } from '../stage.ts'

export interface CommandsPlan {
  readonly rounds: number
  /** To each bot before anything is measured: the first calls of everything compile it. */
  readonly warmUp: number
  /** To each bot in each round. */
  readonly commands: number
}

const atATime = 10
const guide = peers['bolt-guide']

export async function measureCommands(
  { rounds, warmUp, commands }: CommandsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, divide, judge, remark, measured } = takeNotes('commands')
  const stage = await openStage({ cores })
  try {
    const actors = await stage.startAll(['bolt-guide'])
    for (const { load } of actors) await load.commands(warmUp, atATime)
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, load } of actors) {
        const { count, seconds, cpuMs, benchMs } = await load.commands(commands, atATime)
        note('commands', name, '/s', count / seconds)
        note('CPU of a command', name, 'ms', cpuMs)
        note('CPU of load and stand-ins, a command', name, 'ms', benchMs)
      }
    }
    stage.books.add()
  } finally {
    await stage.close()
  }
  divide('commands', bellhopName, guide, atLeast(4))
  judge('CPU of a command', bellhopName, atMost(0.25))
  divide('CPU of a command', bellhopName, guide)
  remark(`Commands: \`/alert <key>\`, every key new, ${atATime} at a time, stand-ins without latency.`)
  return measured()
}
