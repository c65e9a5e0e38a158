// The real bot in the process of a test, on the test's clock.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type AppManifest, readManifest } from '../playground/server/manifest.ts'
import { type Bellhop, createBellhop } from '../src/app.ts'
import { parseConfig } from '../src/config/config.ts'
import { openStorage, type Storage } from '../src/storage/storage.ts'
import { fillManifest, type Installed } from '../src/terminal/manifest.ts'
import type { Clock } from './clock.ts'
import type { keepLog } from './keep-log.ts'

export interface Bot {
  readonly bellhop: Bellhop
  readonly storage: Storage
  /** Where it listens. */
  readonly url: string
  stop(): Promise<void>
}

/** What tests change of the bot beside its settings. */
export interface BotOptions {
  /** Time budget of one call to the service, in real milliseconds. */
  readonly budgetMs?: number
  /** In real milliseconds: after this, somebody who waits for the service hears so. Default: never. */
  readonly slowMs?: number
  /** In place of the bot's own pauses, which are cut to moments. */
  readonly wait?: (ms: number) => Promise<void>
  /** In place of the bot's own way to its database. */
  readonly open?: typeof openStorage
  /** How often what was left for later is looked after, in real milliseconds. Default: as seldom as in earnest. */
  readonly lateMs?: number
}

/** Starts it on any free port. */
export async function startBot(
  env: Readonly<Record<string, string>>,
  { clock, log, lines }: ReturnType<typeof keepLog> & { readonly clock: Clock },
  options: BotOptions = {},
): Promise<Bot> {
  // PORT 0 asks the system for a free port; the configuration only knows real ones.
  const config = { ...parseConfig({ ...env, PORT: '3000' }), port: 0 }
  const storage = await (options.open ?? openStorage)({
    url: config.databaseUrl,
    now: clock.now,
    log,
  })
  const bellhop = createBellhop({
    config,
    storage,
    log,
    now: clock.now,
    // What the bot waits for in minutes, a test waits for in moments.
    wait: options.wait ?? ((ms) => delay(Math.min(ms, 10))),
    onRefused: (error) => lines.push(error.message),
    slowMs: options.slowMs ?? 60_000,
    lateMs: options.lateMs,
    tickMs: 25,
    monotonic: clock.now,
    socketOptions: { apartMs: 0, reconnectMs: 1_000 },
    monitorOptions: { budgetMs: options.budgetMs ?? 2000, retryDelayMs: 5 },
  })
  const port = await bellhop.start().catch(async (error: unknown) => {
    await storage.close()
    throw error
  })
  return {
    bellhop,
    storage,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await bellhop.stop(5000)
      await storage.close()
    },
  }
}

const manifestYml = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
/** Reading YAML takes longer than starting the bot. */
const manifests = new Map<string, AppManifest>()

/** The app in Slack that belongs to the bot, as `npm run manifest` prints its manifest. */
export function manifestOf(installed: Installed): AppManifest {
  const key = JSON.stringify(installed)
  const known = manifests.get(key)
  if (known !== undefined) return known
  const manifest = readManifest(fillManifest(manifestYml, installed))
  manifests.set(key, manifest)
  return manifest
}
