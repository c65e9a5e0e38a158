// Bellhop as it ships, everybody connected: what the image runs, on a database of its own.
import { spawnSync } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createVault } from '../../src/account/vault.ts'
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import { botToken, people, signingSecret, teamId } from '../stand-ins/names.ts'
import { Unfit } from '../unfit.ts'
import type { Recipe } from './server.ts'

export const bellhopName = 'Bellhop'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packageFile = z.object({ scripts: z.object({ start: z.string(), 'start:built': z.string() }) })

/** What stands after `node` in a script, but for a `.env`: the bench has settings of its own. */
function argumentsOf(script: 'start' | 'start:built'): readonly string[] {
  const { scripts } = packageFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const words = scripts[script].split(/\s+/)
  return words.slice(words.indexOf('node') + 1).filter((word) => !word.startsWith('--env-file'))
}

let isBuilt = false

/** Builds the bot, once in a run. @throws Unfit when that fails. */
function build(): void {
  if (isBuilt) return
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Unfit(`Bellhop could not be built: ${stderr}`)
  isBuilt = true
}

/** The same bot, run by `npm start`. */
export function fromSources(recipe: Recipe): Recipe {
  return { ...recipe, name: `${bellhopName} from its sources`, args: argumentsOf('start') }
}

interface Addresses {
  readonly slackApiUrl: string
  readonly monitorApiUrl: string
}

/**
 * @param folder - For its database, made here.
 * @param fill - Puts more into the database before it starts.
 * @throws Unfit when it cannot be built.
 */
export async function bellhopRecipe(
  folder: string,
  addresses: Addresses,
  fill?: (storage: Storage) => Promise<void>,
): Promise<Recipe> {
  build()
  const recipe = await sourcesRecipe(folder, addresses, fill)
  return { ...recipe, name: bellhopName, args: argumentsOf('start:built') }
}

/** As `bellhopRecipe`, of what `npm start` runs: nothing is built. */
export async function sourcesRecipe(
  folder: string,
  addresses: Addresses,
  fill: (storage: Storage) => Promise<void> = async () => undefined,
): Promise<Recipe> {
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
    await fill(storage)
  } finally {
    await storage.close()
  }
  return {
    name: `${bellhopName} from its sources`,
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
