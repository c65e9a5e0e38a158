// A process of its own, as a second Bellhop is one: it writes so many records into the chain.
import { createSecretKey } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createRecorder } from '../../src/audit/audit.ts'
import { createChain } from '../../src/audit/chain.ts'
import { createLog } from '../../src/log/log.ts'
import { openStorage } from '../../src/storage/storage.ts'

const [, , url = '', startAt = '0', count = '0'] = process.argv
const storage = await openStorage({ url, now: Date.now })
const chain = createChain([{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }])
let added = 0
const trail = {
  chain,
  log: createLog({ level: 'silent' }),
  now: Date.now,
  wait: (ms: number) => delay(ms),
}
const recorder = createRecorder({ ...trail, records: storage.auditRecords }, () => {
  added += 1
})
await delay(Math.max(0, Number(startAt) - Date.now()))
const entry = { workspaceId: 'T1', userId: 'U1', act: 'grant', outcome: 'done' } as const
for (let index = 0; index < Number(count); index += 1) {
  // One that every process writes, and one of its own.
  await recorder.record({ ...entry, key: `same.${index}` })
  await recorder.record({ ...entry, key: `${process.pid}.${index}` })
}
await recorder.stop()
await storage.close()
process.stdout.write(String(added))
