// A slow disk, imitated in a bot's own process: loaded before it, and told over the bench's channel how many milliseconds
// an fsync takes. Each time that SQLite waits for the disk, the thread stands still for so much longer, as it would; what
// node:fs syncs with a callback ends later, beside the thread. Not imitated: slow reads and writes, a queue at the disk,
// syncs of changes to the schema, of promises of node:fs, and of other processes.
import fs, { type NoParamCallback } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { watchStatements } from './statements.ts'

let syncMs = 0
const standing = new Int32Array(new SharedArrayBuffer(4))

watchStatements(({ syncs }) => {
  if (syncs > 0 && syncMs > 0) Atomics.wait(standing, 0, 0, syncs * syncMs)
})

function slowed(sync: (fd: number, done: NoParamCallback) => void) {
  return (fd: number, done: NoParamCallback): void =>
    sync(fd, (error) => void setTimeout(done, syncMs, error))
}
Object.assign(fs, { fsync: slowed(fs.fsync), fdatasync: slowed(fs.fdatasync) })
syncBuiltinESMExports()

process.on('message', (ms) => {
  syncMs = Number(ms)
  process.send?.('set')
})
// The bot stops as it would without this.
process.channel?.unref()
