// Run by the part `storage`, in a process of its own: people who ask at once, each waiting for their own calls only.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { openStorage } from '../../src/storage/storage.ts'
import { serviceMs, slackMs } from '../latencies.ts'
import { channelId, personAt, teamId } from '../stand-ins/names.ts'

const [people = 0, commands = 0] = process.argv.slice(2).map(Number)
/** Nobody waits for Slack or the service between their calls: all of them call in the same turn of the event loop. */
const isTogether = process.argv.includes('together')
const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'))
const storage = await openStorage({ url: `file:${join(folder, 'bellhop.db')}`, now: Date.now })
const took = new Map<string, number[]>()
let busy = 0
let shared: Promise<void> | undefined

/** One for all who wait: they go on together, as when all of their answers come at once. */
function nextTurn(): Promise<void> {
  shared ??= turn().then(() => {
    shared = undefined
  })
  return shared
}

/** SQLite's own number for it is 5, with more in the higher bits. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
  return (code !== undefined && (code & 0xff) === 5) || isBusy(error.cause)
}

async function time<T>(call: string, work: () => Promise<T>): Promise<T | undefined> {
  if (isTogether) await nextTurn()
  const from = performance.now()
  try {
    return await work()
  } catch (error) {
    if (!isBusy(error)) throw error
    busy += 1
    return undefined
  } finally {
    const ms = performance.now() - from
    const noted = took.get(call)
    if (noted === undefined) took.set(call, [ms])
    else noted.push(ms)
  }
}

/** As long as Slack or the service takes, more or less. */
async function away(ms: number): Promise<void> {
  if (!isTogether) await wait(ms * (0.5 + Math.random()))
}

async function command(index: number, number: number): Promise<void> {
  const { userId, name } = personAt(index)
  const asker = { workspaceId: teamId, userId }
  const [id, ks] = [randomUUID(), `bench-${number}`]
  const { once, accounts, cards } = storage
  await time('once.claim', () => once.claim(teamId, `request ${id}`))
  await time('accounts.find', () => accounts.find(asker))
  await away(serviceMs)
  await time('cards.keep', () =>
    cards.keep({
      ...{ id, workspaceId: teamId, ks, title: `Disk of ${ks} is filling up`, asker, askerName: name },
      ...{ channelId, isPrivate: false, layout: 'thread', told: ['a', 'b', 'c'], version: 0 },
      ...{ posted: undefined, reply: undefined },
    }),
  )
  await away(slackMs)
  const posted = { channelId, ts: `1700000000.${String(number).padStart(6, '0')}` }
  await time('cards.keepLanding', () =>
    cards.keepLanding(teamId, id, { isPrivate: false, layout: 'thread', posted }),
  )
  await away(slackMs)
  if (number % 10 === 0) await grant(asker, id, number)
}

async function grant(
  sender: { workspaceId: string; userId: string },
  id: string,
  number: number,
): Promise<void> {
  const { wishes, sends } = storage
  const write = {
    kind: 'add-user' as const,
    containerId: number,
    email: 'dave@example.com',
    authProvider: undefined,
    member: false,
    permissions: ['READ'],
  }
  const leaseMs = 30_000
  const send = { workspaceId: teamId, wishId: id, n: 1 }
  await time('wishes.keep', () => wishes.keep({ id, sender, writes: [write], channelId }))
  await time('wishes.begin', () => wishes.begin(sender, id, { leaseMs, askedAfter: 0 }))
  await time('sends.begin', () => sends.begin(sender, send, { leaseMs, joinableMs: 10_000 }))
  await time('sends.settle', () => sends.settle(send, { kind: 'done' }))
  await time('wishes.settle', () => wishes.settle(teamId, id, { tellingMs: 12_000, corrects: false }))
}

try {
  for (let index = 0; index < people; index += 1) {
    const owner = { workspaceId: teamId, userId: personAt(index).userId }
    await storage.accounts.keep(owner, 'bench.c2VhbGVk')
  }
  await Promise.all(
    Array.from({ length: people }, async (_, index) => {
      await away(slackMs)
      // Not everybody's tenth comes at once.
      for (let number = 0; number < commands; number += 1)
        await command(index, index * (commands + 1) + number)
    }),
  )
  console.log(JSON.stringify({ busy, took: Object.fromEntries(took) }))
} finally {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
}
