// Cores for the bench and for the bot, where the system lets it choose.
import { spawnSync } from 'node:child_process'

export interface Cores {
  readonly bench: number
  readonly server: number
}

/** “0-2,5” */
function parseList(list: string): readonly number[] {
  return list.split(',').flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}

/** Keeps this process, all of its threads, on one core. Undefined where that cannot be done: then nothing is pinned. */
export function pinBench(): Cores | undefined {
  const pid = String(process.pid)
  const { status, stdout } = spawnSync('taskset', ['-cp', pid], { encoding: 'utf8' })
  const cores = status === 0 ? parseList(stdout.slice(stdout.lastIndexOf(':') + 1).trim()) : []
  const [bench, server] = [cores.at(0), cores.at(-1)]
  if (bench === undefined || server === undefined || bench === server) return undefined
  if (spawnSync('taskset', ['-acp', String(bench), pid]).status !== 0) return undefined
  return { bench, server }
}
