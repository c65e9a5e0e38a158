// Loaded into a bot before its own code (`--import`): counts what the bot does to the world outside of it, and ends it
// at a given step. Moves its wall clock, and makes its SQLite file read-only or full, as well. For tests alone.
//
// A step is whatever can make a difference to others: bytes that leave over a socket (a request to Slack, to the
// service or to PostgreSQL, the ack of a command), bytes that arrive, and each statement that SQLite has run and that
// is more than a read. Between two steps nothing can be seen from outside, so this stops the bot at each await. What
// PostgreSQL answers is no step: it does what it was sent, whether the bot lives to read the answer or not.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { DatabaseSync, StatementSync } from 'node:sqlite'

type Ending = 'SIGKILL' | 'SIGTERM'

/** Connections to SQLite files, all that were ever made. */
const opened = new Set<DatabaseSync>()
let count = 0
let armed: { readonly step: number; readonly ending: Ending } | undefined
let aheadMs = Number(process.env.BELLHOP_TEST_AHEAD_MS ?? 0)

const realNow = Date.now
Date.now = () => realNow() + aheadMs

process.on('message', (message) => {
  const told = new Map(Object.entries(Object(message)))
  if (told.has('aheadMs')) aheadMs = Number(told.get('aheadMs'))
  if (told.has('sql')) {
    for (const database of opened) if (database.isOpen) database.exec(String(told.get('sql')))
    process.send?.({ done: true })
  }
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
  return /[ -~]{8,80}/.exec(text)?.[0] ?? ''
}

around(Socket.prototype, '_writeGeneric', (self, [isMany, data], inner) => {
  // While it connects, nothing leaves; it is called again when it has.
  const isLeaving = Reflect.get(self, 'connecting') !== true
  const left = inner()
  const chunks: unknown[] = isMany === true && Array.isArray(data) ? data : [{ chunk: data }]
  if (isLeaving) step(`left: ${wordsIn(Object(chunks[0]).chunk ?? data)}`)
  return left
})

const postgresPort = Number(/^postgres.*:(\d+)\//.exec(process.env.DATABASE_URL ?? '')?.[1])

around(Socket.prototype, 'push', (self, [chunk], inner) => {
  const isAnswer = Reflect.get(self, 'remotePort') === postgresPort
  if (chunk !== null && !isAnswer) step(`came: ${wordsIn(chunk)}`)
  return inner()
})

/** And what the watches ask for every second, whatever else happens. */
const isRead = /^\s*(select|pragma|with "due")\b/i

around(DatabaseSync.prototype, 'exec', (self, [sql], inner) => {
  const done = inner()
  // The first that is done with a connection is to set it up.
  if (self instanceof DatabaseSync) opened.add(self)
  if (!isRead.test(String(sql))) step(`ran: ${String(sql).trim().slice(0, 60)}`)
  return done
})

for (const name of ['run', 'all']) {
  around(StatementSync.prototype, name, (self, _given, inner) => {
    const done = inner()
    const sql = String(Reflect.get(self, 'sourceSQL'))
    if (!isRead.test(sql)) step(`ran: ${sql.slice(0, 60)}`)
    return done
  })
}
