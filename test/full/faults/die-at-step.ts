// Loaded into a bot before its own code (`--import`): counts what the bot does to the world outside of it, and ends it
// at a given step. For tests alone.
//
// A step is whatever makes a difference to others: a request that may change something at Slack or the service leaves, an
// ack leaves, a write is committed. Between two steps nothing changes outside, so this stops the bot at each of its
// states: what it reads, and what it hears, is gone with it.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { DatabaseSync, StatementSync } from 'node:sqlite'

type Ending = 'SIGKILL' | 'SIGTERM'

let count = 0
let armed: { readonly step: number; readonly ending: Ending } | undefined

process.on('message', (message) => {
  const told = new Map(Object.entries(Object(message)))
  if (told.has('step')) {
    count = 0
    armed = {
      step: Number(told.get('step')),
      ending: told.get('ending') === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL',
    }
  }
  if (told.has('disarm')) {
    armed = undefined
    process.send?.({ count })
  }
})
// The channel alone keeps no process alive.
process.channel?.unref()

function step(what: string): void {
  if (armed === undefined) return
  count += 1
  // Written at once: nothing is after the signal.
  writeSync(2, `step ${count}: ${what}\n`)
  if (count === armed.step) process.kill(process.pid, armed.ending)
}

/** Puts something around a method, which it gets to call. */
function around(
  prototype: object,
  name: string,
  outer: (self: object, given: readonly unknown[], inner: () => unknown) => unknown,
): void {
  const original: unknown = Reflect.get(prototype, name)
  if (typeof original !== 'function') throw new TypeError(`${name} is no method any more`)
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: object, ...given: unknown[]) {
      return outer(this, given, () => Reflect.apply(original, this, given))
    },
  })
}

/** Its first readable words: of a request its line, of an answer its status, of a query its SQL. */
function wordsIn(data: unknown): string {
  const text = data instanceof Uint8Array ? Buffer.from(data).toString('latin1') : String(data)
  return /[ -~]{5,80}/.exec(text)?.[0] ?? ''
}

const isWrite = /^\W?(insert|update|delete)\b/i

/** Of one connection to a database: what it has written since its transaction began. */
interface Transaction {
  isOpen: boolean
  written: string | undefined
}

function sees(transaction: Transaction, sql: string): void {
  if (/^\W*begin\b/i.test(sql)) Object.assign(transaction, { isOpen: true, written: undefined })
  else if (/^\W*rollback\b/i.test(sql)) transaction.isOpen = false
  else if (/^\W*commit\b/i.test(sql)) {
    transaction.isOpen = false
    if (transaction.written !== undefined) step(`wrote: ${transaction.written}`)
  } else if (isWrite.test(sql)) {
    const words = sql.replace(/^\W/, '').slice(0, 60)
    if (transaction.isOpen)
      transaction.written = [transaction.written ?? [], words].flat().join(', ')
    else step(`wrote: ${words}`)
  }
}

const postgresPort = Number(/^postgres.*:(\d+)\//.exec(process.env.DATABASE_URL ?? '')?.[1])
/** By connection to PostgreSQL, which does what it was sent, whether the bot lives to read the answer or not. */
const transactions = new WeakMap<object, Transaction>()
/** An ack, or a request to Slack or the service that is more than a question. */
const isSeen = /^(HTTP\/1\.1|PUT|DELETE|POST (?!\/api\/(users|conversations|auth)\.))/

around(Socket.prototype, '_writeGeneric', (self, [isMany, data], inner) => {
  // While it connects, nothing leaves; it is called again when it has.
  const isLeaving = Reflect.get(self, 'connecting') !== true
  const left = inner()
  if (!isLeaving) return left
  const chunks: unknown[] = isMany === true && Array.isArray(data) ? data : [{ chunk: data }]
  const words = wordsIn(Object(chunks[0]).chunk ?? data)
  if (Reflect.get(self, 'remotePort') === postgresPort) {
    const transaction = transactions.get(self) ?? { isOpen: false, written: undefined }
    transactions.set(self, transaction)
    sees(transaction, words)
  } else if (isSeen.test(words)) step(`left: ${words}`)
  return left
})

/** SQLite has one writer at a time. */
const ofFile: Transaction = { isOpen: false, written: undefined }

around(DatabaseSync.prototype, 'exec', (_self, [sql], inner) => {
  const done = inner()
  sees(ofFile, String(sql))
  return done
})

for (const name of ['run', 'all']) {
  around(StatementSync.prototype, name, (self, _given, inner) => {
    const done = inner()
    sees(ofFile, String(Reflect.get(self, 'sourceSQL')))
    return done
  })
}
