// Part of the bench: what a command costs from end to end: verified, acked, the alert read, its card and its thread
// posted.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { openStage } from '../stage.ts'

export interface CommandsPlan {
  readonly rounds: number
  /** To each bot before anything is measured: the first calls of everything compile it. */
  readonly warmUp: number
  /** To each bot in each round. */
  readonly commands: number
}

const atATime = 10

export async function measureCommands(
  { rounds, warmUp, commands }: CommandsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('commands')
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
  remark(`Commands: \`/alert <key>\`, every key new, ${atATime} at a time, stand-ins without latency.`)
  return measured()
}
