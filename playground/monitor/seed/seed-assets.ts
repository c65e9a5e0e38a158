// Machines of the seed, and the alerts that are on each. Data only.
import type { NewAsset } from '../assets.ts'

interface Machine extends NewAsset {
  /** Keys of its alerts. */
  readonly has?: readonly string[]
}

const firstNumber = 31

/** The machine that is worked on: the first one. */
export const planned = { id: firstNumber, name: 'db-03' } as const

/** Of container 12, unless they say otherwise. Those of the edge cases are as hard to show as their alerts. */
const machines: readonly Machine[] = [
  { name: planned.name, has: ['disk-full'] },
  { name: 'web-01', has: ['web server 503', 'one-hit'] },
  { name: 'db-02', has: ['replica-lag'] },
  { name: 'db-01', has: ['backup-missed'] },
  { name: 'mail-01', has: ['long-story'] },
  { name: '', has: ['odd-kinds'] },
  { name: '<!channel> *db* <https://evil.example|Click> \u202e&amp;', has: ['a/b?c=<d>&e%2F#f'] },
  { name: 'a-machine-with-a-long-name.'.repeat(12).slice(0, 300), has: ['long-message'] },
  { name: 'nas-01', containerId: 34, has: ['in-34'] },
  // Nothing is wrong with these.
  { name: 'web-02' },
  { name: 'web-17', mode: 'maintenance' },
  { name: 'old-nas', kind: 'Synology', mode: 'disabled' },
  { name: 'db-03', containerId: 34 },
]

/** Machines whose alerts open later: so few that some have several. */
const hosts: readonly Machine[] = Array.from({ length: 8 }, (_, at) => ({ name: `host-${at + 1}` }))

export const seedAssets = [...machines, ...hosts].map(({ has = [], ...asset }, index) => ({
  id: firstNumber + index,
  has,
  asset: { containerId: 12, ...asset },
}))

/** @throws TypeError for an alert that is on no machine. */
export function placeOf(ks: string): { readonly assetId: number; readonly containerId: number } {
  const found = seedAssets.find(({ has }) => has.includes(ks))
  if (found === undefined) throw new TypeError(`the alert ${ks} is on no machine`)
  return { assetId: found.id, containerId: found.asset.containerId }
}

/** The machine of an alert that opens later. @param number - Of the alert, from 1. */
export function placeOfNew(number: number) {
  return { assetId: firstNumber + machines.length + ((number - 1) % hosts.length), containerId: 12 }
}
