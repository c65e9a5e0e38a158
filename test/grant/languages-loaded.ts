// Prints each language that chrono-node loads while these times are read, a line each. Run by times-load.long.test.ts.
import { registerHooks } from 'node:module'
import { timesMeant } from '../../src/grant/input/times.ts'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('chrono-node/')) console.log(specifier)
    return next(specifier, context)
  },
})

for (const time of process.argv.slice(2))
  await timesMeant(time, { zone: 'Europe/Amsterdam', now: Date.parse('2026-12-01T10:00Z') })
