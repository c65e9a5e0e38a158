// Loads of a start, which are most of the time it takes and of the memory an idle bot has.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
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

describe('a bot on SQLite and without an address for browsers', () => {
  it('loads no other database, no web framework, no YAML and not the fetch of Node', async () => {
    const loaded = await loadedBy({})

    expect(loaded).toEqual(expect.arrayContaining(['@slack/bolt', 'kysely']))
    for (const name of ['pg', 'express', 'yaml', 'internal/deps/undici/undici']) {
      expect(loaded).not.toContain(name)
    }
  })

  it('loads YAML where people can install it, for the scopes of the manifest', async () => {
    const oauth = {
      SLACK_BOT_TOKEN: '',
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: randomUUID().replaceAll('-', ''),
      SLACK_STATE_SECRET: randomUUID(),
      PUBLIC_URL: 'https://bellhop.example.com',
    }
    expect(await loadedBy(oauth)).toContain('yaml')
  })

  it('reads TypeScript at its first start on a machine, and not at the second', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-compiled-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))

    expect(await loadedBy({ NODE_COMPILE_CACHE: folder })).toContain(reader)
    expect(await loadedBy({ NODE_COMPILE_CACHE: folder })).not.toContain(reader)
  })

  it('keeps what it compiled where only its installer writes, and not where everybody may', async () => {
    const everybodys = mkdtempSync(join(tmpdir(), 'bellhop-everybody-'))
    onTestFinished(() => rmSync(everybodys, { recursive: true, force: true }))
    const machine = { TMPDIR: everybodys, NODE_COMPILE_CACHE: '' }
    await loadedBy(machine)

    expect(await loadedBy(machine)).not.toContain(reader)
    expect(readdirSync(everybodys)).toEqual([])
  })
})
