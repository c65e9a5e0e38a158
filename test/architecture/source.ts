// Reads the sources as the architecture tests need them: files, rooms, imports.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** As in `src/alert/input.ts`. */
  readonly path: string
  /** `alert`, or the file's own name for a file of src itself: `app`, `errors`; `playground` for all of it. */
  readonly room: string
  readonly name: string
  readonly text: string
  readonly imports: readonly Import[]
}

export interface Import {
  /** As written. */
  readonly specifier: string
  readonly isTypeOnly: boolean
  /** Loaded only when it is needed. */
  readonly isDynamic: boolean
  /** The imported file, for imports of the product's own. */
  readonly path: string | undefined
}

export function roomOf(path: string): string {
  const [top, room = ''] = path.split('/')
  return top === 'src' ? basename(room, '.ts') : (top ?? '')
}

/** As in `slack/outbound`; undefined for files that are on no floor of their room. */
export function floorOf(path: string): string | undefined {
  const folders = dirname(path).split('/')
  return folders.length > 2 ? folders.slice(1, 3).join('/') : undefined
}

function importsOf(path: string, text: string): readonly Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)
  const dynamic = text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g)
  const found = [
    ...[...statements].map(([, type, specifier = '']) => ({
      specifier,
      isTypeOnly: type !== undefined,
      isDynamic: false,
    })),
    ...[...dynamic].map(([, specifier = '']) => ({ specifier, isTypeOnly: false, isDynamic: true })),
  ]
  return found.map((one) => ({
    ...one,
    path: one.specifier.startsWith('.')
      ? inProduct(normalize(join(dirname(path), one.specifier)))
      : undefined,
  }))
}

/** package.json is read by its version alone, and is nobody's room. */
function inProduct(path: string): string | undefined {
  return path === 'package.json' ? undefined : path
}

export function readSources(): readonly SourceFile[] {
  return globSync('{src,playground}/**/*.ts').map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path, room: roomOf(path), name: basename(path, '.ts'), text, imports: importsOf(path, text) }
  })
}
