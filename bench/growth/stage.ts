// The stage of growth: the strict stand-ins of the playground in this process, and beside it a bot on a database that
// others have used for 90 days.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startMonitor } from '../../playground/monitor/start-monitor.ts'
import { createClock } from '../../playground/server/clock.ts'
import { readManifest } from '../../playground/server/manifest.ts'
import { startSlack } from '../../playground/slack/simulator.ts'
import { createVault } from '../../src/account/vault.ts'
import { parseKept } from '../../src/config/config.ts'
import { flags } from '../../src/grant/roles.ts'
import { openStorage } from '../../src/storage/storage.ts'
import type { Cores } from '../cores.ts'
import { sourcesRecipe } from '../servers/bellhop.ts'
import { type Recipe, type Server, startServer } from '../servers/server.ts'
import { setClock, telling, type Work, workOfCommand } from '../servers/work.ts'
import { Unfit } from '../unfit.ts'
import type { Kept } from './crowd.ts'
import { busyContainer, fillDatabase } from './fill.ts'
import type { Ground } from './operations.ts'

const token = 'growth-token-4f1c9a'

export type GrowthStage = Awaited<ReturnType<typeof openGrowthStage>>

/** @param count - Documents and records of others. */
export async function openGrowthStage(count: number, cores: Cores | undefined) {
  const clock = createClock()
  const { botScopes, botEvents } = readManifest()
  const slack = await startSlack({
    botScopes,
    botEvents,
    keepsLimits: false,
    clock: clock.now,
    signingClock: clock.now,
  })
  const service = await startMonitor({ clock: clock.now })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-growth-'))
  const addresses = { slackApiUrl: slack.apiUrl, monitorApiUrl: service.url }
  const recipe = withSlack(await sourcesRecipe(folder, addresses), slack)

  const email = 'alice@example.com'
  const alice = slack.addPerson({ name: 'alice', realName: 'Alice Archer', email })
  const channel = slack.addChannel({ name: 'general', members: [alice], botIsMember: true })
  service.addContainer(busyContainer, { name: 'Customer 1' })
  const { id: userId } = service.addUser({ email, name: 'Alice Archer' })
  service.addToken({ token, name: 'alice', flags: [...flags], userId })

  const { databaseUrl: url, encryptionKeys: keys } = parseKept(recipe.env)
  const { teamId: workspaceId } = slack
  await fillDatabase({ url, keys, workspaceId, until: clock.now(), count })
  const storage = await openStorage({ url, now: clock.now })
  const owner = { workspaceId, userId: alice.id }
  await storage.accounts.keep(owner, createVault(keys).seal(token, { purpose: 'token', ...owner }))
  const database = new DatabaseSync(url.replace('file:', ''), { readOnly: true })
  const kept: Kept = { storage, database, now: clock.now }

  let broken: Unfit | undefined
  let server = await start()

  async function start(): Promise<Server> {
    const started = await startServer(telling(recipe), cores, (sentence) => {
      broken = new Unfit(sentence)
    })
    slack.deliverTo(`http://127.0.0.1:${started.port}/slack/events`)
    await setClock(started, clock.aheadMs())
    return started
  }

  const ground: Ground = {
    slack,
    service,
    alice,
    channel,
    url: () => `http://127.0.0.1:${server.port}`,
    advance: clock.move,
  }
  const stopMoving = clock.onMove(() => void setClock(server, clock.aheadMs()))

  return {
    ground,
    kept,
    server: () => server,
    async restart(): Promise<void> {
      await server.stop()
      server = await start()
    },
    /** Runs an operator's command beside the bot. @param args - After `node`. */
    runs: (args: readonly string[]): Promise<Work> => workOfCommand({ ...recipe, args }, cores),
    /** For a file that goes with the stage. */
    pathOf: (name: string) => join(folder, name),
    /** @throws Unfit where the bot has ended by itself. */
    check(): void {
      if (broken !== undefined) throw broken
    },
    async close(): Promise<void> {
      stopMoving()
      await server.stop()
      database.close()
      await Promise.all([storage.close(), slack.stop(), service.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function withSlack(
  recipe: Recipe,
  { botToken, signingSecret }: Awaited<ReturnType<typeof startSlack>>,
): Recipe {
  const own = { SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret }
  return { ...recipe, env: { ...recipe.env, ...own } }
}
