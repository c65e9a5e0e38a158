// The gallery as doctor asks Slack about it.
import type { Entry, Shown } from './entry.ts'
import { entries } from './gallery.ts'

export async function showAll(): Promise<readonly { readonly entry: Entry; readonly shown: Shown }[]> {
  return entries.map((entry) => ({ entry, shown: entry.shows }))
}
