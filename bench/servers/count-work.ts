// Counts, in a bot's own process, what it does: loaded before it, and asked over the bench's channel. It slows the bot
// down, so that nothing is timed beside it.
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { type Counted, countedNothing } from './counted.ts'

// What is imported is a copy; the bot calls what this leads to.
const { DatabaseSync, StatementSync }: typeof import('node:sqlite') = createRequire(import.meta.url)(
  'node:sqlite',
)

let counted: Counted = { ...countedNothing }
function count(what: keyof Counted, by = 1): void {
  counted[what] += by
}

/** Before each call of a method, this is told who has it and its first argument. */
function watch<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  names: readonly Name[],
  told: (self: unknown, first: unknown) => void,
): void {
  for (const name of names) {
    const original = owner[name]
    owner[name] = function (this: unknown, ...args: never[]) {
      told(this, args[0])
      return Reflect.apply(original, this, args)
    }
  }
}

createHook({
  init(_id, type) {
    if (type === 'PROMISE') count('promises')
    else if (type === 'Timeout' || type === 'Immediate') count('timers')
    else if (type === 'TickObject') count('ticks')
    else count('handles')
  },
}).enable()

watch(AsyncLocalStorage.prototype, ['run', 'enterWith', 'exit'], () => count('contexts'))
watch(StatementSync.prototype, ['run', 'all', 'get', 'iterate'], () => count('statements'))
watch(DatabaseSync.prototype, ['exec'], (_, sql) => {
  count('statements')
  if (typeof sql === 'string' && /^\s*commit/i.test(sql)) count('commits')
})

// A write that is in no transaction is committed by itself.
const databases = new WeakMap<object, InstanceType<typeof DatabaseSync>>()
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (...args) {
  const statement = prepare.apply(this, args)
  databases.set(statement, this)
  return statement
}
watch(StatementSync.prototype, ['run'], (self) => {
  if (self instanceof StatementSync && databases.get(self)?.isTransaction === false) count('commits')
})

JSON.stringify = new Proxy(JSON.stringify, {
  apply(stringify, self, args) {
    const text: unknown = Reflect.apply(stringify, self, args)
    if (typeof text === 'string') count('serialised', text.length)
    return text
  },
})
JSON.parse = new Proxy(JSON.parse, {
  apply(parse, self, args) {
    count('parsed', String(args[0]).length)
    return Reflect.apply(parse, self, args)
  },
})

process.on('message', (asked) => {
  if (asked !== 'counts') return
  process.send?.(counted)
  counted = { ...countedNothing }
})
// The bot stops as it would without this.
process.channel?.unref()
