// Faults of the database and of the clock, each tried on a bot in a process of its own.
import { expect } from 'vitest'
import type { BotProcess } from '../../../playground/bot-process.ts'
import { openFile } from '../../database-folder.ts'
import type { Told } from './fault.ts'
import { type MortalWorld, openMortalWorld } from './mortal.ts'

export interface FaultOfDatabase extends Told {
  play(): Promise<void>
}

const failed = 'Something went wrong in Bellhop.'
const patient = { limitMs: 60_000 }
const hourMs = 3_600_000

function timesSent({ service }: MortalWorld, email: string): number {
  return service.requests.filter(({ method, body }) => method === 'POST' && Object(body).email === email)
    .length
}

async function grants(world: MortalWorld, email: string): Promise<void> {
  world.service.addUser({ email })
  await world.alice.types(`/grant 12 ${email} viewer`, world.general)
}

/** A grant that is granted, told once. */
async function grantsWell(world: MortalWorld, email: string): Promise<void> {
  const { alice, general } = world
  await grants(world, email)
  await alice.sees(new RegExp(`✅ Granted[\\s\\S]*${email}`), general, patient)
  expect(timesSent(world, email)).toBe(1)
}

async function looksUp({ alice, general, service }: MortalWorld, ks: string): Promise<void> {
  service.addAlert({ ks, message: `Alert ${ks}` })
  await alice.types(`/alert ${ks}`, general)
  const card = await alice.sees(`Alert ${ks}`, general, patient)
  await alice.sees('No actions', card, patient)
}

async function isAlive(bot: BotProcess): Promise<void> {
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200)
}

async function open(changes: Readonly<Record<string, string>> = {}) {
  const world = await openMortalWorld()
  const bot = await world.start(changes)
  await world.connect()
  return { ...world, bot }
}

/** The bot may not write; then it may again. */
async function withoutWriting(world: Awaited<ReturnType<typeof open>>, take: string, giveBack: string) {
  const { alice, bot, general, slack } = world
  await world.say(bot, take)
  // What is kept already has room until a page is full.
  let refused = ''
  for (let turn = 1; turn <= 60 && refused === ''; turn += 1) {
    const email = `full${turn}@example.com`
    const answer = new RegExp(`${failed}|${email}`)
    // What fails before it is kept is told before the ack.
    const before = alice.messages(general).length
    await grants(world, email)
    await slack.workspace.changes.until(
      () =>
        alice
          .messages(general)
          .slice(before)
          .find(({ plain }) => answer.test(plain)),
      patient.limitMs,
      () => `no answer:\n${alice.screen(general)}`,
    )
    if (alice.messages(general).at(-1)?.plain.includes(failed)) refused = email
  }
  expect(refused).not.toBe('')
  await isAlive(bot)
  await world.say(bot, giveBack)
  await grantsWell(world, 'after@example.com')
  await looksUp(world, 'after')
  await slack.idle(200)
  // Refused before it was sent: nothing was. Had it been, it would have been told later.
  expect(timesSent(world, refused)).toBe(0)
}

export const databaseFaults: readonly FaultOfDatabase[] = [
  {
    fault: 'Another process locks the SQLite file for a few seconds',
    seen: 'the answer, that much later',
    async play() {
      const world = await open()
      const { bot } = world
      const holder = openFile(world.env.DATABASE_URL)
      holder.exec('begin immediate')
      await grants(world, 'locked@example.com')
      await isAlive(bot)
      await world.slack.idle(2_000)
      expect(timesSent(world, 'locked@example.com')).toBe(0)
      holder.exec('rollback')
      await world.alice.sees(/✅ Granted[\s\S]*locked@example.com/, world.general, patient)
      expect(timesSent(world, 'locked@example.com')).toBe(1)
      await looksUp(world, 'after')
    },
  },
  {
    fault: 'Another process locks it for longer than 10 s',
    seen: `“${failed} …”`,
    async play() {
      const world = await open()
      const holder = openFile(world.env.DATABASE_URL)
      holder.exec('begin immediate')
      await grants(world, 'locked@example.com')
      await world.alice.sees(failed, world.general, patient)
      await isAlive(world.bot)
      holder.exec('rollback')
      expect(timesSent(world, 'locked@example.com')).toBe(0)
      await grantsWell(world, 'after@example.com')
      await looksUp(world, 'after')
    },
  },
  {
    fault: 'SQLite can no longer write (`query_only`)',
    seen: `a grant: “${failed} …”`,
    play: async () => withoutWriting(await open(), 'pragma query_only = on', 'pragma query_only = off'),
  },
  {
    fault: 'SQLite has no room, as on a full disk (`max_page_count`)',
    seen: `a grant: “${failed} …”`,
    // It cannot be set below what is there: nothing can be added.
    play: async () =>
      withoutWriting(await open(), 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'),
  },
  ...[
    { fault: 'The clock jumps an hour ahead', ms: hourMs },
    { fault: 'The clock jumps an hour back', ms: -hourMs },
  ].map(
    ({ fault, ms }): FaultOfDatabase => ({
      fault,
      seen: 'nothing',
      async play() {
        const world = await open({ WATCH_INTERVAL_SECONDS: '1' })
        const { alice, bot, general, service } = world
        const alert = service.addAlert({ ks: 'live', message: 'Disk full' })
        await alice.types('/alert live watch', general)
        const card = await alice.sees(/Disk full[\s\S]*👁/, general, patient)
        await alice.sees('No actions', card, patient)
        world.jumpWith(bot, ms)
        alert.act({ kind: 'Comment', data: { userId: 7, message: 'after the jump' } })
        await alice.sees('after the jump', card, patient)
        await grantsWell(world, 'jumped@example.com')
        await looksUp(world, 'after')
        expect(card.thread.filter(({ plain }) => plain.includes('after the jump'))).toHaveLength(1)
      },
    }),
  ),
]
