// Server-sent events of one page: what its person sees, and what happened, as it changes.
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { pageState } from './page-state.ts'
import type { Player, Scene } from './scene.ts'

/** Changes that come together are sent together, after this many milliseconds. */
const TOGETHER_MS = 10

/** Sends `state` at once and after every change, and `happening` for each thing that happened. */
export function sendLive(context: Context, player: Player, scene: Scene): Response {
  return streamSSE(context, async (stream) => {
    const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) })
    const sendState = () => send('state', pageState(player, scene))
    let timer: NodeJS.Timeout | undefined
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void sendState()
      }, TOGETHER_MS)
    }
    const stops = [
      scene.slack.onChange(changed),
      scene.service.onChange(changed),
      scene.troubles.onChange(changed),
      scene.happenings.onChange((happening) => void send('happening', happening)),
    ]
    const gone = new Promise<void>((resolve) => stream.onAbort(resolve))
    // All at once: one that changes in between must come after its older self.
    await Promise.all([sendState(), ...scene.happenings.list().map((one) => send('happening', one))])
    await gone
    clearTimeout(timer)
    for (const stop of stops) stop()
  })
}
