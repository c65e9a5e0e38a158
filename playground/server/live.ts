// Server-sent events of one page: what its person sees, and what happened, as it changes.
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { pageState, viewsState } from './page-state.ts'
import type { Player } from './playing/player.ts'
import type { Scene } from './scene.ts'

/** Changes that come together are sent together, after this many milliseconds. */
const TOGETHER_MS = 10

/** Sends `state` at once and whenever it is another one, `views` where only they changed, `happening` for each of them. */
export function sendLive(context: Context, player: Player, scene: Scene): Response {
  return streamSSE(context, async (stream) => {
    const send = (event: string, data: unknown) =>
      stream.writeSSE({ event, data: JSON.stringify(data) })
    let sent = ''
    // The bot reads watched alerts all the time, and mostly nothing is new.
    const sendState = async () => {
      const state = JSON.stringify(pageState(player, scene))
      if (state === sent) return
      sent = state
      await stream.writeSSE({ event: 'state', data: state })
    }
    const all = together(sendState)
    const views = together(() => {
      sent = ''
      return send('views', viewsState(player, scene))
    })
    const stops = [
      scene.slack.onChange((change) => {
        if (change.kind !== 'view') all.soon()
        else if (change.userId === player.person.id) views.soon()
      }),
      scene.service.onChange(all.soon),
      scene.troubles.onChange(all.soon),
      scene.happenings.onChange((happening) => void send('happening', happening)),
      all.cancel,
      views.cancel,
    ]
    const gone = new Promise<void>((resolve) => stream.onAbort(resolve))
    // All at once: one that changes in between must come after its older self.
    await Promise.all([
      sendState(),
      ...scene.happenings.list().map((one) => send('happening', one)),
    ])
    await gone
    for (const stop of stops) stop()
  })
}

/** Does it once for all that comes together. */
function together(work: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined
  return {
    soon(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        void work()
      }, TOGETHER_MS)
    },
    cancel: () => clearTimeout(timer),
  }
}
