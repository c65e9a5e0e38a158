// The bot as `npm run build` makes it, once for all files of `test:full`: these tests start it hundreds of times, and it
// starts with a third of the work that the sources take. It is what the image runs.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** What starts it. Only tests of `test:full` are given one. */
    builtBot: string | undefined
  }
}

function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-built-'))
  for (const path of ['package.json', 'manifest.yml']) cpSync(path, join(folder, path))
  const dist = join(folder, 'dist')
  execFileSync(process.execPath, ['node_modules/rolldown/bin/cli.mjs', '--config', '--dir', dist])
  project.provide('builtBot', join(dist, 'start.js'))
  return () => rmSync(folder, { recursive: true, force: true })
}

// Vitest calls it by this name.
export { setup }
