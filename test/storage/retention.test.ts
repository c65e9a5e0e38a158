// Housekeeping: things that nobody will ask for any more are forgotten after their time, and nothing before.
import { expect, it } from 'vitest'
import { writesOf } from '../../src/grant/access.ts'
import { createLog } from '../../src/log/log.ts'
import { createRequest, withdrawStep } from '../../src/send/request.ts'
import { keepHouse } from '../../src/storage/storage.ts'
import { openFile } from '../database-folder.ts'
import { keepLog } from '../keep-log.ts'
import { bytesOf, open, temporaryFile } from './files.ts'

const dayMs = 86_400_000
const asker = { workspaceId: 'T1', userId: 'U1' }
const rest = { containerId: 12, authProvider: undefined, member: false, permissions: [] }
const people = ['dave@example.com', 'erin@example.com'].map((email) => ({ email }))
const wish = { ...rest, kind: 'add-user', people } as const
const toApprove = {
  askerName: 'alice',
  container: 'container 12',
  reason: 'On call',
  channelId: 'C1',
  barred: { recipientIds: [], recipients: [] },
}

it('requests go ninety days after they were asked, and no sooner; never one that has not ended', async () => {
  let now = 1_700_000_000_000
  const storage = await open(temporaryFile(), () => now)
  const { requests } = storage
  const writes = writesOf(wish)
  const keep = async (id: string) => {
    await requests.insert((at) => createRequest({ id, sender: asker, writes, channelId: 'C1' }, at))
    for (const ask of [`${id}:ask`, `${id}:open`]) {
      const approval = { ...toApprove, until: now + 1_000 * dayMs }
      await requests.insert((at) => createRequest({ id: ask, sender: asker, writes, approval }, at))
    }
    await requests.change({ workspaceId: 'T1', id: `${id}:ask` }, withdrawStep(asker))
  }
  const kept = async (id: string) => {
    const ids = [id, `${id}:ask`, `${id}:open`]
    const all = await Promise.all(ids.map((one) => requests.find({ workspaceId: 'T1', id: one })))
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
    [false, false, true],
    [true, true, true],
  ])
})

it('what waited for somebody to connect is gone from the file and from its log as well', async () => {
  let now = 1_700_000_000_000
  const path = temporaryFile()
  const storage = await open(path, () => now)
  const house = keepHouse(storage, () => now, createLog({ level: 'silent' }))
  await storage.waiting.put({ ...asker, key: 'w1', value: 'sealed.forget-this-too', forMs: dayMs })

  now += dayMs + 1
  await house.now()

  expect(bytesOf(path)).not.toContain('forget-this-too')
})

it('what can’t be deleted keeps nothing else, and one line says so', async () => {
  let now = 1_700_000_000_000
  const path = temporaryFile()
  const storage = await open(path, () => now)
  const { log, lines } = keepLog()
  const house = keepHouse(storage, () => now, log)
  await storage.waiting.put({ ...asker, key: 'w1', value: 'sealed', forMs: 1 })
  const other = openFile(path)
  other.exec('drop table docs')

  now += dayMs
  await house.now()

  expect(other.prepare('select * from kept').all()).toEqual([])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', err: { message: expect.stringContaining('docs') } },
  ])
})
