// Processes that meet on a new database, with the same keys or with others.
import { describe, expect, it } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { newKey } from './rotation.ts'

describe('several that are started at once on a new database', () => {
  it('agree when they have the same keys, and keep out whoever has another key under the same name', async () => {
    const world = await openProcessWorld()
    const [ours, theirs] = [newKey('k1'), newKey('k1')]
    const keys = [ours, theirs, ours]

    const starts = await Promise.allSettled(
      keys.map((ENCRYPTION_KEYS) => world.start({ ENCRYPTION_KEYS })),
    )

    const up = keys.filter((_, at) => starts[at]?.status === 'fulfilled')
    expect([[ours, ours], [theirs]]).toContainEqual(up)
    for (const start of starts) {
      if (start.status === 'fulfilled') expect(await start.value.stop()).toBe(0)
      else expect(String(start.reason)).toContain('the key k1 isn’t')
    }
  })
})
