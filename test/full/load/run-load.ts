// `node test/full/load/run-load.ts --rate 200 --seconds 60 --people 600`: what one process holds on this machine, as JSON.
import { parseArgs } from 'node:util'
import { factsOfMachine } from '../../../bench/process-figures.ts'
import { holdLoad } from './hold-load.ts'

// The bot inherits it, and `npm start` has none.
delete process.env.NODE_COMPILE_CACHE

const { rate, seconds, people } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    people: { type: 'string', default: '600' },
  },
}).values
const plan = { perSecond: Number(rate), seconds: Number(seconds), people: Number(people), latencyMs: 80 }
console.log(JSON.stringify({ plan, machine: factsOfMachine(), held: await holdLoad(plan) }, undefined, 2))
