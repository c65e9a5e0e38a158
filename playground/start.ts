// `npm run playground`: a Slack in the browser with the real bot in it. `--socket` reaches it by Socket Mode,
// `--public` has tokens given on the bot's own page, `--port` chooses the playground's.
import { parseArgs } from 'node:util'
import type { Playground } from './open-playground.ts'

const options = {
  socket: { type: 'boolean', default: false },
  public: { type: 'boolean', default: false },
  port: { type: 'string', default: '4567' },
} as const

const usage = 'npm run playground [-- [--socket] [--public] [--port <number>]]'

async function openPage(
  wantedPort: number,
  how: { isSocket: boolean; isPublic: boolean },
): Promise<void> {
  let playground: Playground | undefined
  let isStopping = false
  const stop = () => {
    // Exiting ends the bot as well, also half way through the start.
    if (!playground) process.exit(1)
    if (!isStopping) void playground.stop()
    isStopping = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  const { openPlayground } = await import('./open-playground.ts')
  playground = await openPlayground({ port: wantedPort, ...how })
  const port = Number(new URL(playground.url).port || 80)
  const note = wantedPort === 0 || port === wantedPort ? '' : ` (port ${wantedPort} is taken)`
  console.log(
    `\n  Open ${playground.url} in a browser${note}, and type /alert disk-full there. Ctrl+C ends it.\n`,
  )
}

function readOptions() {
  try {
    const { values } = parseArgs({ options })
    const port = /^\d+$/.test(values.port) ? Number(values.port) : Number.NaN
    return port <= 65_535 ? { ...values, port } : undefined
  } catch {
    return undefined
  }
}

const asked = readOptions()
if (asked === undefined) {
  console.error(usage)
  process.exitCode = 2
} else await openPage(asked.port, { isSocket: asked.socket, isPublic: asked.public })
