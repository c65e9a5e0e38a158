// Does what the Dockerfile says, without a container engine: the files of the last stage, in an empty directory.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type Copy, isInContext, type Stage } from './dockerfile.ts'

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), optional: z.boolean().optional() })),
})

/** Where `npm ci --omit=dev` puts packages, by package-lock.json; optional ones for other systems are left out. */
export function shippedPackages(lock: string): readonly string[] {
  const { packages } = lockSchema.parse(JSON.parse(lock))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .filter(([path, { optional }]) => optional !== true || existsSync(path))
    .map(([path]) => path)
}

/** Files of the build context that a source of a COPY names. @throws Error when there is none. */
function copiedFiles(source: string, ignore: string): readonly string[] {
  const isFolder = existsSync(source) && statSync(source).isDirectory()
  const files = isFolder ? globSync(`${source}/**/*`, { exclude: ['**/node_modules/**'] }) : [source]
  const found = files.filter(
    (path) => existsSync(path) && statSync(path).isFile() && isInContext(path, ignore),
  )
  if (found.length === 0)
    throw new Error(`COPY ${source}: there is no such path, or .dockerignore leaves it out`)
  return found
}

/** Puts into `folder` what the last stage has in its working directory. Other stages are made for what is taken of them. */
export function buildInto(folder: string, stages: readonly Stage[]): void {
  const last = stages.at(-1)
  if (last !== undefined) copyInto(folder, last, stages)
}

function copyInto(folder: string, stage: Stage, stages: readonly Stage[]): void {
  const ignore = readFileSync('.dockerignore', 'utf8')
  for (const copy of stage.copies) {
    const { from, sources, to } = copy
    if (from === undefined) copyFromContext(folder, copy, ignore)
    else {
      const other = stages.find(({ name }) => name === from)
      if (other === undefined || sources.length !== 1 || sources[0] !== join(other.folder ?? '', to))
        throw new Error(`COPY --from=${from}: not a folder of another stage under its own name`)
      if (to === 'node_modules') copyPackages(folder, other)
      else copyBuilt(folder, other, to, stages)
    }
  }
}

function copyFromContext(folder: string, { sources }: Copy, ignore: string): void {
  for (const path of sources.flatMap((source) => copiedFiles(source, ignore))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    cpSync(path, join(folder, path))
  }
}

const isInstall = ([npm, ci]: readonly string[]) => npm === 'npm' && ci === 'ci'
const leavesOutDevelopment = (words: readonly string[]) => words.includes('--omit=dev')

/** The other stage installs packages; they are taken from those that are installed here. */
function copyPackages(folder: string, { name, runs }: Stage): void {
  const [install, ...more] = runs
  if (install === undefined || more.length > 0 || !isInstall(install) || !leavesOutDevelopment(install))
    throw new Error(`the stage ${name} does not install what ships, and nothing else`)
  for (const path of shippedPackages(readFileSync('package-lock.json', 'utf8'))) {
    // What is nested in a package is listed for itself, and may be for development alone.
    const nested = join(path, 'node_modules')
    const filter = (source: string) => source !== nested && !source.startsWith(`${nested}/`)
    cpSync(path, join(folder, path), { recursive: true, filter })
  }
}

/** What the other stage makes is made as it says, in a directory of its own with all packages that are installed here. */
function copyBuilt(folder: string, stage: Stage, what: string, stages: readonly Stage[]): void {
  const [install, ...commands] = stage.runs
  if (install === undefined || !isInstall(install) || leavesOutDevelopment(install))
    throw new Error(`the stage ${stage.name} does not begin with installing all packages`)
  const workplace = mkdtempSync(join(tmpdir(), 'bellhop-build-'))
  try {
    copyInto(workplace, stage, stages)
    symlinkSync(resolve('node_modules'), join(workplace, 'node_modules'))
    for (const [command = '', ...words] of commands)
      execFileSync(command, words, { cwd: workplace, stdio: 'pipe' })
    cpSync(join(workplace, what), join(folder, what), { recursive: true })
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
}
