// The peers of a bench are installed by the bench alone.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const named = z.record(z.string(), z.unknown())
const manifest = z.object({ dependencies: named, workspaces: z.undefined().optional() })
const lock = z.object({ packages: named })

function read<T>(path: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')))
}

it('npm ci of the bot installs nothing that only a peer needs', () => {
  const own = read('../../package.json', manifest).dependencies
  const ofPeers = Object.keys(read('../../bench/peers/package.json', manifest).dependencies)
  const onlyTheirs = ofPeers.filter((name) => !(name in own))
  const { packages } = read('../../package-lock.json', lock)

  expect(onlyTheirs).toContain('slack-edge')
  expect(onlyTheirs.filter((name) => `node_modules/${name}` in packages)).toEqual([])
})
