// `npm run bench`: Bellhop as operators have it, beside its peers and among more and more that is kept, in one run.
// `-- --quick` takes five minutes, `-- --only acks,commands` does some of it, and `-- --json` prints it for programs.
// It judges no time: it exits with 1 only when work was not done as it should be, and prints what else was measured.
import { parseArgs } from 'node:util'
import { pinBench } from './cores.ts'
import { parts, readPartNames } from './parts.ts'
import { type Benched, printTables } from './print.ts'
import { factsOfMachine } from './process-figures.ts'
import { type Failed, runParts } from './run-parts.ts'
import { Unfit } from './unfit.ts'

const flag = { type: 'boolean', default: false } as const
const options = { quick: flag, json: flag, only: { type: 'string' } } as const

/** For whoever waits, beside what is printed in the end. */
function say(line: string): void {
  console.error(line)
}

// An exit takes the bots along; a signal alone would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

async function bench(
  isQuick: boolean,
  only: string | undefined,
): Promise<{ readonly benched: Benched; readonly failed: readonly Failed[] }> {
  const names = readPartNames(only)
  const machine = factsOfMachine()
  const cores = pinBench()
  const { measured, failed } = await runParts(names, (name) => parts[name](isQuick, cores), say)
  return { benched: { isQuick, isPinned: cores !== undefined, machine, parts: measured }, failed }
}

/** Without a stack where the words alone say what to do. */
function wordsOf(error: unknown): unknown {
  const isForPeople =
    error instanceof Unfit ||
    error instanceof RangeError ||
    (error instanceof TypeError && 'code' in error)
  return isForPeople ? error.message : error
}

try {
  const { quick, json, only } = parseArgs({ options }).values
  const { benched, failed } = await bench(quick, only)
  if (benched.parts.length > 0) {
    console.log(json ? JSON.stringify(benched, undefined, 2) : printTables(benched))
  }
  for (const { part, error } of failed) console.error(`${part} failed:`, wordsOf(error))
  if (failed.length > 0) process.exitCode = 1
} catch (error) {
  console.error(wordsOf(error))
  process.exitCode = 1
}
