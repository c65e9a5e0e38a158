// Shows the gallery's entries: those that happen to the real bot happen here, one after the other.

import { entries } from './gallery.ts'
import type { Entry, Shown } from './stage/entry.ts'
import { openStage } from './stage/stage.ts'

/** An entry, and what it shows. */
export interface Exhibit {
  readonly entry: Entry
  readonly shown: Shown
}

export async function show(entry: Entry): Promise<Shown> {
  const { shows } = entry
  if (typeof shows !== 'function') return shows
  const stage = await openStage()
  try {
    return await shows(stage)
  } finally {
    await stage.stop()
  }
}

export async function showAll(): Promise<readonly Exhibit[]> {
  const exhibits: Exhibit[] = []
  for (const entry of entries) exhibits.push({ entry, shown: await show(entry) })
  return exhibits
}
