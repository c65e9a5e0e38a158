// Which Bellhop this is, and what it runs on.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Check } from './check.ts'

const manifest = z.object({ version: z.string() })

function bellhopVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return manifest.parse(JSON.parse(text)).version
}

/** The database's own stands in its line. */
export function versionCheck(): Check {
  const name = 'Versions'
  return {
    name,
    ifSlow: '',
    run: async () => {
      const found = `Bellhop ${bellhopVersion()} on Node ${process.versions.node}, ${process.platform}.`
      return [{ name, state: 'green', found }]
    },
  }
}
