// Does what the Dockerfile says, without a container engine: the files of the last stage, in an empty directory.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
export function copiedFiles(source: string, ignore: string): readonly string[] {
  const isFolder = existsSync(source) && statSync(source).isDirectory()
  const files = isFolder ? globSync(`${source}/**/*`, { exclude: ['**/node_modules/**'] }) : [source]
  const found = files.filter(
    (path) => existsSync(path) && statSync(path).isFile() && isInContext(path, ignore),
  )
  if (found.length === 0)
    throw new Error(`COPY ${source}: there is no such path, or .dockerignore leaves it out`)
  return found
}

/** Puts into `folder` what the last stage has in its working directory. */
export function buildInto(folder: string, stages: readonly Stage[]): void {
  const ignore = readFileSync('.dockerignore', 'utf8')
  const last = stages.at(-1)
  for (const copy of last?.copies ?? []) {
    if (copy.from === undefined) copyFromContext(folder, copy, ignore)
    else copyPackages(folder, copy, stages)
  }
}

function copyFromContext(folder: string, { sources }: Copy, ignore: string): void {
  for (const path of sources.flatMap((source) => copiedFiles(source, ignore))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    cpSync(path, join(folder, path))
  }
}

/** The other stage installs packages; they are taken from those that are installed here. */
function copyPackages(folder: string, { from, to }: Copy, stages: readonly Stage[]): void {
  const stage = stages.find(({ name }) => name === from)
  const installs = stage?.runs.some(
    ([npm, ci, ...how]) => npm === 'npm' && ci === 'ci' && how.includes('--omit=dev'),
  )
  if (installs !== true || to !== 'node_modules')
    throw new Error(`COPY --from=${from}: it installs no packages`)
  for (const path of shippedPackages(readFileSync('package-lock.json', 'utf8'))) {
    // What is nested in a package is listed for itself, and may be for development alone.
    const nested = join(path, 'node_modules')
    const filter = (source: string) => source !== nested && !source.startsWith(`${nested}/`)
    cpSync(path, join(folder, path), { recursive: true, filter })
  }
}
