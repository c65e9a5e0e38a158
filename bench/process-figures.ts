// Figures of a process, as the system tells them: its CPU time and its memory. Only where there is a /proc; undefined
// elsewhere.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** A tick of /proc/<pid>/stat: USER_HZ is 100 on every Linux that Node runs on. */
const msPerTick = 10

/** Whether this system tells. */
export const isTold = existsSync('/proc/self/stat')

/** User and system time of all threads of a process so far, in milliseconds. */
function cpuMsOf(pid: number | undefined): number | undefined {
  if (!isTold || pid === undefined) return undefined
  // The name in brackets may hold spaces; the third field comes after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

/** Resident memory of a process, in MB. */
export function rssMbOf(pid: number | undefined): number | undefined {
  if (!isTold || pid === undefined) return undefined
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kb === undefined ? undefined : Number(kb) / 1024
}

/** Most resident memory of this process since this was asked last, in MB. */
export function takeOwnPeakMb(): number | undefined {
  if (!isTold) return undefined
  const [, kb] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  // Begins again from what there is now. Source: proc_pid_clear_refs(5).
  writeFileSync('/proc/self/clear_refs', '5')
  return kb === undefined ? undefined : Number(kb) / 1024
}

/** CPU of the bot, and of this process with all that it plays, between two moments. */
export function cpuMeter(
  pid: number | undefined,
): () => { botMs: number | undefined; benchMs: number } {
  const bot = cpuMsOf(pid)
  const own = process.cpuUsage()
  return () => {
    const now = cpuMsOf(pid)
    const { user, system } = process.cpuUsage(own)
    return {
      botMs: bot === undefined || now === undefined ? undefined : now - bot,
      benchMs: (user + system) / 1000,
    }
  }
}

/** Resolves once a process does next to nothing any more, or after a few seconds: collecting garbage is its work, too. */
export async function untilQuiet(pid: number | undefined): Promise<void> {
  const [lookMs, mostLooks] = [100, 40]
  let before = cpuMsOf(pid)
  for (let look = 0; look < mostLooks && before !== undefined; look += 1) {
    await wait(lookMs)
    const now = cpuMsOf(pid)
    if (now === undefined || now - before <= msPerTick) return
    before = now
  }
}

/** What figures of different machines differ by. */
export interface Facts {
  readonly cores: number
  readonly cpu: string
  readonly node: string
  readonly platform: string
}

export function factsOfMachine(): Facts {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  }
}
