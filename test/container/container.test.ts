import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { settingNames, settings } from '../../src/config/config.ts'
import { isInContext, readDockerfile } from './dockerfile.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const ignore = readFileSync('.dockerignore', 'utf8')
const stages = readDockerfile(dockerfile)
const image = stages.at(-1)
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const service = z.object({
  build: z.object({ context: z.literal('.'), args: z.record(z.string(), z.string()) }).optional(),
  image: z.string().optional(),
  user: z.string().optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  mem_limit: z.string().optional(),
  pids_limit: z.int(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
})
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(readFileSync('compose.yaml', 'utf8')))

describe('the Dockerfile', () => {
  it('is on the Node that the tests run on, by its version, in every stage', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('node_modules/node/package.json', 'utf8')))
    const [major, minor] = version.split('.')
    expect(stages.map((stage) => stage.image)).toEqual(
      stages.map(() => `node:${major}.${minor}-slim`),
    )
  })

  it('installs what ships apart from what builds, and runs no script of a package', () => {
    const installs = stages.flatMap(({ runs }) => runs).filter((words) => words.includes('ci'))
    expect(installs.map((words) => words.slice(0, 2))).toEqual(installs.map(() => ['npm', 'ci']))
    expect(installs.filter((words) => !words.includes('--ignore-scripts'))).toEqual([])
    expect(installs.map((words) => words.includes('--omit=dev'))).toEqual([true, false])
  })

  it('takes of the stage that builds what is built, and nothing else', () => {
    const taken = image?.copies.filter(({ from }) => from !== undefined)
    expect(taken?.map(({ from, to }) => [from, to])).toEqual([
      ['packages', 'node_modules'],
      ['build', 'dist'],
    ])
  })

  it('does not run as root, keeps its data in a volume, and asks itself whether it is alive', () => {
    expect(image?.user).toBe('node')
    // A line of .env that is empty sets it to nothing: the default has to lead there, not a value of the image.
    const { DATABASE_URL } = settings.pick({ DATABASE_URL: true }).parse({})
    expect(image?.volumes).toEqual([
      dirname(join(image?.folder ?? '', DATABASE_URL.replace('file:', ''))),
    ])
    expect(image?.env).toEqual({
      NODE_ENV: 'production',
      NODE_DISABLE_COMPILE_CACHE: '1',
      HOST: '0.0.0.0',
    })
    expect(image?.ports).toEqual([String(settings.pick({ PORT: true }).parse({}).PORT)])
  })

  it('gets nothing that is secret, or only in the way', () => {
    const mayNot = [
      '.env',
      '.git/config',
      'data/bellhop.db',
      'node_modules/zod/package.json',
      'dist/start.js',
      'test/world.ts',
    ]
    expect([...mayNot, 'playground/start.ts'].filter((path) => isInContext(path, ignore))).toEqual(
      [],
    )
    expect(isInContext('src/start.js', ignore)).toBe(true)
  })
})

describe('compose.yaml', () => {
  it('names files, variables and volumes that there are, and a password that has to be given', () => {
    const { bellhop, database } = compose.services
    expect(bellhop?.env_file).toBe('.env')
    expect(
      Object.keys(bellhop?.environment ?? {}).filter((name) => !settingNames.includes(name)),
    ).toEqual([])
    expect(database?.healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
    expect(bellhop?.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    const used = Object.values(compose.services).flatMap(({ volumes }) =>
      volumes.map((one) => one.split(':')[0]),
    )
    expect(used.toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
    expect(bellhop?.volumes).toEqual([`data:${image?.volumes[0]}`])
    expect(bellhop?.ports).toEqual([`127.0.0.1:${image?.ports[0]}:${image?.ports[0]}`])
    expect(bellhop?.environment.PORT).toBe(image?.ports[0])
  })

  it('bounds memory and processes, as the docs say', () => {
    const { bellhop, database } = compose.services
    expect(bellhop?.mem_limit).toBe('512m')
    const limits = `--memory ${bellhop?.mem_limit} --pids-limit ${bellhop?.pids_limit}`
    expect(readFileSync('docs/running.md', 'utf8')).toContain(limits)
    // As many as it takes connections by itself, and as many again for its own.
    expect(database?.pids_limit).toBe(200)
  })

  it('gives the bot the database that it starts', () => {
    const { bellhop, database } = compose.services
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = database?.environment ?? {}
    expect(POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
    expect(bellhop?.environment.DATABASE_URL).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database/${POSTGRES_DB}`,
    )
  })
})

describe('the image', () => {
  /** Files that a script of package.json starts. */
  const started = (name: string) => scripts[name]?.match(/\b(?:src|dist)\/\S+/)?.[0] ?? ''

  it.each(['start:built', 'doctor', 'manifest', 'keygen', 'audit', 'backup', 'rotate-keys'])(
    'has what npm run %s starts',
    (name) => {
      const path = started(name)
      const sources =
        image?.copies.flatMap((copy) => copy.sources.map((source) => basename(source))) ?? []
      expect(sources).toEqual(
        expect.arrayContaining(['package.json', 'manifest.yml', path.split('/')[0]]),
      )
      if (path.startsWith('src/'))
        expect([existsSync(path), isInContext(path, ignore)]).toEqual([true, true])
    },
  )

  it('starts as npm run start:built does', () => {
    const words = scripts['start:built']
      ?.split(' ')
      .filter((word) => !/^exec$|^--env-file/.test(word))
    expect(image?.command).toEqual(words)
  })
})
