// Counts, in a bot's own process, what it does: loaded before it, and asked over the bench's channel. It slows the bot
// down, so that nothing is timed beside it.
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { type Counted, countedNothing } from './counted.ts'
import { watch, watchStatements } from './statements.ts'

let counted: Counted = { ...countedNothing }
function count(what: keyof Counted, by = 1): void {
  counted[what] += by
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
watchStatements(({ isCommit, syncs }) => {
  count('statements')
  if (isCommit) count('commits')
  count('syncs', syncs)
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
