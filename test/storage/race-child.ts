// A process of its own, as a second Bellhop is one: it opens the database, begins grants, and reports.
import { setTimeout as delay } from 'node:timers/promises'
import { openStorage } from '../../src/storage/storage.ts'

const [, , url = '', startAt = '0', count = '0', waits = ''] = process.argv
const asker = { workspaceId: 'T1', userId: 'U1' }
const how = { leaseMs: 60_000, joinMs: 10_000, askedAfter: 0 }

await delay(Math.max(0, Number(startAt) - Date.now() - 20))
while (Date.now() < Number(startAt)) {
  // All processes open the new database, and migrate it, at the same moment.
}
const storage = await openStorage({ url, now: Date.now })
const request = { email: 'dave@example.com', authProvider: undefined, member: false, permissions: [] }

const begun: string[] = []
const taken: string[] = []
const told: string[] = []
for (let index = 1; index <= Number(count); index += 1) {
  const id = `g${index}`
  await storage.grants.ask({ id, asker, request: { ...request, containerId: index }, channelId: undefined })
  const mine = `${id}-${process.pid}`
  await storage.grants.ask({
    id: mine,
    asker,
    request: { ...request, containerId: index },
    channelId: undefined,
  })
  for (const each of [id, mine]) {
    if ((await storage.grants.begin(asker, each, how)).kind === 'begun') begun.push(String(index))
  }
  if ((await storage.waiting.take(asker, `${waits}${index}`)) !== undefined) taken.push(String(index))
  if (await storage.cards.tell('T1', `${waits}${index}`, 0, { told: [mine], reply: undefined }))
    told.push(String(index))
}
await storage.close()
process.stdout.write(JSON.stringify({ begun, taken, told }))
