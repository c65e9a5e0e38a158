// `npm run soak -- --minutes 10`: three bots on one PostgreSQL, with faults, for so many real minutes, and as many
// again until all is at rest; exits with 1 when the books do not add up. `--seed` repeats one's choices.
import { parseArgs } from 'node:util'
import { botCount, soak } from './soak.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { minutes: text, seed: text } })
const minutes = Number(values.minutes ?? 10)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('--minutes takes a number above 0, --seed a whole number.')
  process.exit(2)
}
console.log(`${botCount} bots on one PostgreSQL, ${minutes} minutes, --seed ${seed}`)
const { counted, wrong } = await soak({ minutes, seed, say: console.log })
console.table(counted)
if (wrong.length > 0) {
  console.error(
    `\nThe books do not add up (--seed ${seed}):\n${wrong.map((one) => `  ${one}`).join('\n')}`,
  )
  process.exitCode = 1
} else console.log('\nThe books add up.')
