// Part of the bench: how long a call of the storage takes when many people ask at once, and whether anybody is told
// that it is busy.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Cores } from '../cores.ts'
import { atMost, type Measured, percentile, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { Unfit } from '../unfit.ts'

export interface StoragePlan {
  readonly rounds: number
  /** Of each person. */
  readonly commands: number
}

const people = 50
const child = fileURLToPath(new URL('./storage-child.ts', import.meta.url))

/** What the child prints: by call, how long each took, in milliseconds. */
const report = z.object({ busy: z.int(), took: z.record(z.string(), z.array(z.number())) })

export function measureStorage({ rounds, commands }: StoragePlan, cores: Cores | undefined): Measured {
  const { note, judge, remark, measured } = takeNotes('storage')
  const p99 = 'storage, p99 of a call'
  const ended = 'storage, ended in SQLITE_BUSY'

  function run(...how: readonly string[]): Readonly<Record<string, readonly number[]>> {
    const node = [process.execPath, child, String(people), String(commands), ...how]
    const [command = '', ...args] =
      cores === undefined ? node : ['taskset', '-c', String(cores.server), ...node]
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (status !== 0) throw new Unfit(`The storage failed: ${stderr.slice(-1_000)}`)
    const { busy, took } = report.parse(JSON.parse(stdout))
    note(ended, bellhopName, 'calls', busy)
    if (busy > 0) throw new Unfit(`${busy} calls of the storage ended in SQLITE_BUSY.`)
    return took
  }

  for (let round = 0; round < rounds; round += 1) {
    const took = run()
    note(p99, bellhopName, 'ms', percentile(Object.values(took).flat(), 0.99))
    for (const [call, ms] of Object.entries(took)) {
      note(`storage, p99 of ${call}`, bellhopName, 'ms', percentile(ms, 0.99))
    }
    const together = Object.values(run('together')).flat()
    note(`${p99}, all in the same millisecond`, bellhopName, 'ms', percentile(together, 0.99))
  }
  judge(p99, bellhopName, atMost(5))
  judge(ended, bellhopName, atMost(0))
  remark(
    `Storage: ${people} people at once on one SQLite file, with Slack and the service as far away as above; every tenth command grants something as well.`,
  )
  return measured()
}
