// `npm run playground`: a Slack in the browser with the real bot in it.
import { parseArgs } from 'node:util'
import { openPlayground } from './open-playground.ts'

const { values } = parseArgs({
  options: { socket: { type: 'boolean', default: false }, port: { type: 'string', default: '4567' } },
})

const playground = await openPlayground({ port: Number(values.port), isSocket: values.socket })
console.log(`\n  Open ${playground.url} in a browser. Ctrl+C ends it.\n`)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    void playground.stop()
  })
}
