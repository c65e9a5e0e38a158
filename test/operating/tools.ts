// The operator's shelf, as tests read it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A document, or a file, of the shelf. */
export function onShelf(name: string): string {
  return readFileSync(`docs/operating/${name}`, 'utf8')
}

/** A directory of the test's own, gone with it. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-shelf-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
