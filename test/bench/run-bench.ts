// `npm run bench`: prints figures of the bot as it ships. `-- --quick` takes less than 20 seconds, `-- --json` prints
// them for programs. It judges no time; it exits with 1 when work was not done as it should be.
import { parseArgs } from 'node:util'
import { bench, longPlan, quickPlan } from './bench.ts'
import { print } from './print.ts'
import { Unfit } from './unfit.ts'

// The bot inherits it, and `npm start` has none.
delete process.env.NODE_COMPILE_CACHE

try {
  const { quick, json } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  }).values
  const benched = await bench(quick ? quickPlan : longPlan)
  console.log(json ? JSON.stringify(benched, undefined, 2) : print(benched))
} catch (error) {
  const isForPeople = error instanceof Unfit || (error instanceof TypeError && 'code' in error)
  console.error(isForPeople ? error.message : error)
  process.exitCode = 1
}
