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
  /** Exports that are taken from it; undefined where any of them may be. */
  readonly names: readonly string[] | undefined
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

/** What a statement takes, as in `{ one, type Two, three as four }` or `* as all`; undefined where that may be anything. */
function namesIn(taken: string, text: string): readonly string[] | undefined {
  const [, all] = /^\* as (\w+)/.exec(taken) ?? []
  if (all !== undefined) {
    const uses = [...text.matchAll(new RegExp(`\\b${all}\\b(?:\\.(\\w+))?`, 'g'))].slice(1)
    return uses.some(([, name]) => name === undefined)
      ? undefined
      : uses.map(([, name = '']) => name)
  }
  const [, listed] = /\{([^}]*)\}/.exec(taken) ?? []
  return listed?.split(',').map((one) =>
    one
      .trim()
      .replace(/^type /, '')
      .replace(/ as .*/, ''),
  )
}

function importsOf(path: string, text: string): readonly Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:([^'"]*?)\sfrom\s+)?['"]([^'"]+)['"]/gm,
  )
  const dynamic = text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g)
  const found = [
    ...[...statements].map(([, type, taken = '', specifier = '']) => ({
      specifier,
      isTypeOnly: type !== undefined,
      isDynamic: false,
      names: namesIn(taken, text),
    })),
    ...[...dynamic].map(([, specifier = '']) => ({
      specifier,
      isTypeOnly: false,
      isDynamic: true,
      names: undefined,
    })),
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

/** The product and its playground. */
export const readSources = () => readFiles('{src,playground}/**/*.ts')

/** With the tests and benches of it. */
export const readAll = () => readFiles('{*.ts,{src,playground,test,bench}/**/*.{ts,js}}')

function readFiles(pattern: string): readonly SourceFile[] {
  // The bench has packages of its own, once it has run.
  return globSync(pattern, { exclude: ['**/node_modules/**'] }).map((path) => {
    const text = readFileSync(path, 'utf8')
    return {
      path,
      room: roomOf(path),
      name: basename(path, '.ts'),
      text,
      imports: importsOf(path, text),
    }
  })
}
