// The whole playground: stand-in Slack and service, the real bot started like `npm start`, and the page's server.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { botSettings, unfurlDomains } from './bot-settings.ts'
import { botSwitch, type StartBot } from './bot-switch.ts'
import { connect } from './connect.ts'
import { seed } from './monitor/seed/seed.ts'
import { seedTokens } from './monitor/seed/seed-people.ts'
import { startMonitor } from './monitor/start-monitor.ts'
import { seedPost } from './seed-post.ts'
import { createClock } from './server/clock.ts'
import { Happenings } from './server/happenings/happenings.ts'
import { createMask } from './server/happenings/mask.ts'
import { readManifest } from './server/manifest.ts'
import type { Player } from './server/playing/player.ts'
import type { Scene } from './server/scene.ts'
import { servePage } from './server/server.ts'
import { Troubles } from './server/troubles/troubles.ts'
import type { Channel } from './slack/model/model.ts'
import { type Slack, startSlack } from './slack/simulator.ts'

export interface Playground extends Scene {
  /** Of the page. */
  readonly url: string
  /** Ends the bot, the page and the stand-ins, and removes the database. */
  stop(): Promise<void>
}

/** @param options.port - Wanted for the page; any free one when it is taken, or 0. */
export async function openPlayground(options: {
  readonly port: number
  /** Reaches the bot by Socket Mode instead of signed requests over HTTP. */
  readonly isSocket?: boolean
  /** Tokens are given on the bot's own page, as with PUBLIC_URL. */
  readonly isPublic?: boolean
  /** Default: as a process of its own. */
  readonly startBot?: StartBot
}): Promise<Playground> {
  const manifest = readManifest()
  const { botScopes, botEvents } = manifest
  const clock = createClock()
  const { now } = clock
  const slack = await startSlack({
    botScopes,
    botEvents,
    unfurlDomains,
    clock: now,
    signingClock: now,
  })
  const service = await startMonitor({ clock: now })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-playground-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const publicPort = options.isPublic === true ? await freePort() : undefined
  const isSocket = options.isSocket ?? false
  const settings = botSettings({ slack, service, folder, isSocket, publicPort })
  const bot = botSwitch(settings, slack, clock, options.startBot)
  await bot.start()

  const { players, channel } = addPeople(slack)
  const seeded = seed(service)
  for (const { person, demoToken } of players.filter(({ isNew }) => !isNew))
    await connect(person, demoToken, slack)
  for (const { person } of players.filter(({ isNew }) => !isNew)) {
    // By its link, which says its container: from now on Bellhop knows where to look for names.
    await person.types(`/alert ${service.linkOf('replica-lag')}`, person.dm)
    await slack.idle()
  }
  slack.webhook(channel, seedPost(service.linkOf))
  // Only now: what people did before the curtain rose is nobody's business.
  const happenings = new Happenings({ slack, service, mask: createMask(secretsOf(slack)) })
  const scene: Scene = {
    clock,
    slack,
    service,
    seed: seeded,
    players,
    manifest,
    happenings,
    troubles: new Troubles({ clock, slack, service, happenings, bot, seed: seeded }),
  }
  const page = await servePage(scene, options.port)
  return {
    ...scene,
    url: page.url,
    async stop() {
      await page.stop()
      await bot.stop()
      await Promise.all([slack.stop(), service.stop()])
      removeFolder()
      process.off('exit', removeFolder)
    },
  }
}

/** Its address stands in links, so the bot has to come back to it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function secretsOf({ botToken, appToken, signingSecret, workspace }: Slack): readonly string[] {
  return [
    botToken,
    appToken,
    signingSecret,
    workspace.verificationToken,
    ...Object.values(seedTokens),
  ]
}

/** Three to play, with different rights, and colleagues to grant access to. The channel is where the bot is. */
function addPeople(slack: Slack): {
  readonly players: readonly Player[]
  readonly channel: Channel
} {
  const player = (name: keyof typeof seedTokens, realName: string, rights: string): Player => ({
    person: slack.addPerson({ name, realName, email: `${name}@example.com` }),
    rights,
    isNew: name === 'carol',
    demoToken: seedTokens[name],
  })
  const players = [
    player('alice', 'Alice Archer', 'may read alerts and grant access'),
    player('bob', 'Bob Baker', 'may only read alerts'),
    player('carol', 'Carol Chen', 'is new: connects first'),
  ]
  slack.addPerson({ name: 'dave', realName: 'Dave Diaz', email: 'dave@example.com' })
  slack.addPerson({ name: 'grace', realName: 'Grace Green', email: 'grace@example.com' })
  const channel = slack.addChannel({ name: 'on-call', botIsMember: true })
  slack.addChannel({ name: 'shop' })
  slack.addChannel({ name: 'leads', isPrivate: true })
  return { players, channel }
}
