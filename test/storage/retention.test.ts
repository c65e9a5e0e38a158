// Housekeeping: things that nobody will ask for any more are forgotten after their time, and nothing before.
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { writesOf } from '../../src/grant/wish.ts'
import { createLog } from '../../src/log/log.ts'
import { keepHouse } from '../../src/storage/retention.ts'
import { keepLog } from '../keep-log.ts'
import { open, temporaryFile } from './files.ts'

const dayMs = 86_400_000
const asker = { workspaceId: 'T1', userId: 'U1' }
const rest = { containerId: 12, authProvider: undefined, member: false, permissions: [] }
const wish = { ...rest, emails: ['dave@example.com', 'erin@example.com'] }
const frozen = {
  askerName: 'alice',
  container: undefined,
  reason: 'On call',
  channelId: 'C1',
  threadTs: undefined,
}
const barred = { asker: undefined, recipientIds: [], recipients: [] }

it('wishes and requests for approval go after ninety days, and no sooner', async () => {
  let now = 1_700_000_000_000
  const storage = await open(temporaryFile(), () => now)
  const { wishes, sends, approvals } = storage
  const keep = async (id: string) => {
    await wishes.keep({ id, sender: asker, writes: writesOf(wish), channelId: 'C1' })
    await approvals.ask({ ...frozen, id, asker, wish, barred }, { ttlMs: dayMs, claimMs: 60_000 })
    await approvals.withdraw(asker, id, 60_000)
  }
  const kept = async (id: string) => {
    const secondSend = sends.find({ workspaceId: 'T1', wishId: id, n: 2 })
    const all = await Promise.all([wishes.find('T1', id), secondSend, approvals.find('T1', id)])
    return all.map((one) => one !== undefined)
  }
  const house = keepHouse(storage, () => now, createLog({ level: 'silent' }))

  await keep('old')
  now += dayMs
  await keep('new')
  now += 89 * dayMs
  await house.now()
  expect([await kept('old'), await kept('new')]).toEqual([
    [true, true, true],
    [true, true, true],
  ])
  now += 1
  await house.now()
  expect([await kept('old'), await kept('new')]).toEqual([
    [false, false, false],
    [true, true, true],
  ])
})

it('what links lead to goes when nobody has used it for ninety days', async () => {
  let now = 1_700_000_000_000
  const storage = await open(temporaryFile(), () => now)
  const house = keepHouse(storage, () => now, createLog({ level: 'silent' }))
  const link = { asset: '34', timestamp: '1700000000' }
  await storage.alertLinks.keep(asker, link, '5HkX')
  now += 60 * dayMs
  await storage.alertLinks.keep(asker, link, '5HkX')
  now += 90 * dayMs - 1
  await house.now()
  expect(await storage.alertLinks.keyOf(asker, link)).toBe('5HkX')
  now += 1
  await house.now()
  expect(await storage.alertLinks.keyOf(asker, link)).toBeUndefined()
})

it('what waited for somebody to connect is gone from the file and from its log as well', async () => {
  let now = 1_700_000_000_000
  const path = temporaryFile()
  const storage = await open(path, () => now)
  const house = keepHouse(storage, () => now, createLog({ level: 'silent' }))
  await storage.waiting.keep(asker, 'w1', 'sealed.forget-this-too')

  now += dayMs + 1
  await house.now()

  const files = [path, `${path}-wal`].map((file) => readFileSync(file))
  expect(files.some((bytes) => bytes.includes('forget-this-too'))).toBe(false)
})

it('what can’t be deleted keeps nothing else, and one line names it', async () => {
  let now = 1_700_000_000_000
  const path = temporaryFile()
  const storage = await open(path, () => now)
  const { log, lines } = keepLog()
  const house = keepHouse(storage, () => now, log)
  await storage.waiting.keep(asker, 'w1', 'sealed')
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  other.exec('drop table approvals')

  now += dayMs
  await house.now()

  expect(other.prepare('select * from kept').all()).toEqual([])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', failed: ['approvals'], err: { message: expect.stringContaining('approvals') } },
  ])
})
