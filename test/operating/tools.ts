// Programs of this machine that some tests hold the operator's shelf against. Where one is missing, its tests are skipped
// and say so; what can be read without it is tested everywhere.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Where distributions put programs for administrators, which are not in everybody's PATH. */
const forAdministrators = ['/usr/sbin', '/sbin', '/usr/local/sbin']

/** The path of a program; undefined where it is not on this machine. */
export function toolOf(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...forAdministrators]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

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
