// `npm run soak -- --minutes 10`: three bots on one PostgreSQL, with faults, for so many real minutes; exits with 1 when
// the books do not add up. `--seed` repeats one's choices, `--socket` is Socket Mode, `--json` prints for programs.
import { parseArgs } from 'node:util'
import { printGrowth, printTable } from './figures.ts'
import { botCount, soak } from './soak.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: { minutes: text, seed: text, json: flag, socket: flag },
})
const say = (words: string) => void (values.json || console.log(words))

const minutes = Number(values.minutes ?? 10)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('--minutes takes a number above 0, --seed a whole number.')
  process.exit(2)
}
say(
  `${botCount} bots on one PostgreSQL, ${minutes} minutes${values.socket ? ' by Socket Mode' : ''}, --seed ${seed}`,
)
const soaked = await soak({ minutes, seed, isSocket: values.socket, say })
const { counted, growth, wrong } = soaked
if (values.json) console.log(JSON.stringify(soaked, undefined, 2))
else console.log(printTable([...Object.entries(counted), ...printGrowth(growth)]))
if (wrong.length > 0) {
  console.error(`\nThe books do not add up (--seed ${seed}):\n${wrong.map((one) => `  ${one}`).join('\n')}`)
  process.exitCode = 1
} else say('\nThe books add up.')
