// A process of its own, as a second Bellhop is one: it opens the database, sends requests, and reports.
import { setTimeout as delay } from 'node:timers/promises'
import { beginSendStep, beginStep, createRequest } from '../../src/send/request.ts'
import { openStorage } from '../../src/storage/storage.ts'

const [, , url = '', startAt = '0', count = '0', waits = ''] = process.argv
const sender = { workspaceId: 'T1', userId: 'U1' }

await delay(Math.max(0, Number(startAt) - Date.now() - 20))
while (Date.now() < Number(startAt)) {
  // All processes open the new database, and migrate it, at the same moment.
}
const storage = await openStorage({ url, now: Date.now })
const rest = { kind: 'add-user', authProvider: undefined, member: false, permissions: [] } as const

/** Ids of requests. */
const begun: string[] = []
/** Containers that somebody is added to. */
const sent: string[] = []
const taken: string[] = []

async function send(id: string, containerId: number): Promise<void> {
  const writes = [{ ...rest, email: 'dave@example.com', containerId }]
  const { requests } = storage
  await requests.insert((now) => createRequest({ id, sender, writes }, now))
  const request = await requests.change(
    { workspaceId: 'T1', id },
    beginStep({ sender, passes: () => true }),
  )
  if (request === undefined) return
  begun.push(id)
  if ((await requests.change(request, beginSendStep(request, 1))) !== undefined)
    sent.push(String(containerId))
}

for (let index = 1; index <= Number(count); index += 1) {
  await send(String(index), index)
  if ((await storage.waiting.take('T1', `${waits}${index}`)) !== undefined)
    taken.push(String(index))
}
await storage.close()
process.stdout.write(JSON.stringify({ begun, sent, taken }))
