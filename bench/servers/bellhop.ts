// Bellhop as operators have it, everybody connected, on a database of its own: from the sources, and as the image runs it.
import { spawnSync } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createVault } from '../../src/account/vault.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { botToken, people, signingSecret, teamId } from '../stand-ins/names.ts'
import { Unfit } from '../unfit.ts'
import type { Recipe } from './server.ts'

/** What each is called in a table. */
export const bellhop = { sources: 'Bellhop, npm start', image: 'Bellhop, image' } as const

const root = fileURLToPath(new URL('../..', import.meta.url))
const packageFile = z.object({
  scripts: z.object({ start: z.string(), 'start:built': z.string() }),
})

/** What stands after `node` in a script, but for a `.env`: the bench has settings of its own. */
function argumentsOf(script: 'start' | 'start:built'): readonly string[] {
  const { scripts } = packageFile.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  )
  const words = scripts[script].split(/\s+/)
  return words.slice(words.indexOf('node') + 1).filter((word) => !word.startsWith('--env-file'))
}

/** What the image sets, `NODE_ENV` and the like. */
function environmentOfImage(): Readonly<Record<string, string>> {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^ENV (\w+)=(\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

let isBuilt = false

/** Builds the bot, once in a run. @throws Unfit when that fails. */
function build(): void {
  if (isBuilt) return
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Unfit(`Bellhop could not be built: ${stderr}`)
  isBuilt = true
}

interface Addresses {
  readonly slackApiUrl: string
  readonly monitorApiUrl: string
}

/** Packed, as in the image. @throws Unfit when it cannot be built. */
export async function imageRecipe(folder: string, addresses: Addresses): Promise<Recipe> {
  build()
  const { cwd, env } = await sourcesRecipe(folder, addresses)
  const args = argumentsOf('start:built')
  return { name: bellhop.image, args, cwd, env: { ...environmentOfImage(), ...env } }
}

/**
 * What `npm start` runs; nothing is built.
 * @param folder - For its database, made here.
 */
export async function sourcesRecipe(folder: string, addresses: Addresses): Promise<Recipe> {
  const raw = randomBytes(32)
  const keys = [{ id: 'bench', key: createSecretKey(raw) }]
  const databaseUrl = `file:${join(folder, `bellhop-${randomBytes(4).toString('hex')}.db`)}`
  const storage = await openStorage({ url: databaseUrl, now: Date.now })
  try {
    const vault = createVault(keys)
    for (const { userId, token } of people) {
      const owner = { workspaceId: teamId, userId }
      const sealed = vault.seal(token, { purpose: 'token', ...owner })
      await storage.accounts.keep(owner, sealed)
    }
  } finally {
    await storage.close()
  }
  return {
    name: bellhop.sources,
    args: argumentsOf('start'),
    cwd: root,
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: addresses.slackApiUrl,
      MONITOR_API_URL: addresses.monitorApiUrl,
      MONITOR_ALERT_URL: 'https://monitoring.example.com/alert/{ks}',
      ENCRYPTION_KEYS: `bench:${raw.toString('base64')}`,
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      RATE_PER_MINUTE: '0',
    },
  }
}
