// The line to the playground's server: what a person sees, as it changes, and what they do.
import { record, text } from '../../slack/model/json.ts'
import type { Act } from './acts.ts'
import { setAhead } from './clock.ts'
import type { Happening, PageState, ViewsState } from './state.ts'

export type News =
  | { readonly state: PageState }
  /** Only the views changed. */
  | { readonly views: ViewsState }
  | { readonly happening: Happening }
  /** False while the server does not answer. */
  | { readonly isConnected: boolean }

const RETRY_MS = 1_000

/**
 * Listens until the returned function is called, through restarts of the server too. Windows that nobody sees hang
 * up meanwhile: a browser keeps no more than six lines to one server, and acting needs one as well.
 */
export function listen(as: string, tell: (news: News) => void): () => void {
  let stop = () => {}
  const open = () => {
    const source = new EventSource(`/live?as=${encodeURIComponent(as)}`)
    stop = () => source.close()
    source.addEventListener('open', () => tell({ isConnected: true }))
    const hear = (name: string, read: (data: string) => News) =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => tell(read(data)))
    hear('state', (data) => {
      const state: PageState = JSON.parse(data)
      setAhead(state.aheadMs)
      return { state }
    })
    hear('views', (data) => ({ views: JSON.parse(data) }))
    hear('happening', (data) => ({ happening: JSON.parse(data) }))
    source.addEventListener('error', () => {
      tell({ isConnected: false })
      // A lost line is mended by the browser; one that was refused is not.
      if (source.readyState !== EventSource.CLOSED) return
      const timer = setTimeout(open, RETRY_MS)
      stop = () => clearTimeout(timer)
    })
  }
  const onVisibility = () => {
    stop()
    if (!document.hidden) open()
  }
  document.addEventListener('visibilitychange', onVisibility)
  open()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    stop()
  }
}

/** Sentences for people. */
export interface Answer {
  /** Why it could not be done. */
  readonly error?: string | undefined
  /** What came of it, where that is not seen. */
  readonly said?: string | undefined
}

/** Resolves when the bot has acked it. */
export async function act(as: string, act: Act): Promise<Answer> {
  try {
    const response = await fetch('/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ as, act }),
    })
    const answer = record(await response.json().catch(() => undefined))
    if (response.ok) return { said: text(answer.said) }
    return { error: text(answer.error) ?? 'That didn’t work.' }
  } catch {
    return { error: 'The playground isn’t answering.' }
  }
}
