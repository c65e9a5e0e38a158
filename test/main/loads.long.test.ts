// Loads of a start, which are most of the time it takes and of the memory an idle bot has.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { loadedIn, tellLoaded } from './loaded.ts'

async function loadedBy(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const world = await openProcessWorld()
  const bot = await world.start({ NODE_OPTIONS: tellLoaded, ...env })
  await bot.stop()
  return loadedIn(bot.output())
}

/** What takes the types out of TypeScript. */
const reader = 'internal/deps/amaro/dist/index'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-compiled-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('a bot on SQLite and without an address for browsers', () => {
  it('reads TypeScript at its first start on a machine, and not at the second, which loads nothing that it does not need', async () => {
    const NODE_COMPILE_CACHE = newFolder()

    expect(await loadedBy({ NODE_COMPILE_CACHE })).toContain(reader)

    const loaded = await loadedBy({ NODE_COMPILE_CACHE })
    expect(loaded).toEqual(expect.arrayContaining(['@slack/bolt']))
    // No other database, no YAML and not the fetch of Node.
    for (const name of [reader, 'pg', 'yaml', 'internal/deps/undici/undici'])
      expect(loaded).not.toContain(name)
  })
})
