// Runs the parts of the bench one after the other. One that is unfit costs its own figures alone: the others go on.
import type { Measured } from './figures.ts'
import { Unfit } from './unfit.ts'

export interface Failed {
  readonly part: string
  readonly error: unknown
}

/**
 * @param measure - Closes what it has opened, whatever comes.
 * @param say - For whoever waits.
 * @returns What was measured, and what failed. Anything but `Unfit` is a defect of the bench: then no more is run.
 */
export async function runParts<Name extends string>(
  names: readonly Name[],
  measure: (name: Name) => Measured | Promise<Measured>,
  say: (line: string) => void,
): Promise<{ readonly measured: readonly Measured[]; readonly failed: readonly Failed[] }> {
  const measured: Measured[] = []
  const failed: Failed[] = []
  for (const part of names) {
    const from = performance.now()
    try {
      measured.push(await measure(part))
    } catch (error) {
      failed.push({ part, error })
      if (!(error instanceof Unfit)) break
    }
    say(`${part}: ${((performance.now() - from) / 1000).toFixed(0)} s`)
  }
  return { measured, failed }
}
