// A hook for what the page knows at the moment, kept up to date by the server's events.
import { useEffect, useReducer } from 'preact/hooks'
import { listen, type News } from '../state/live.ts'
import type { Happening, PageState } from '../state/state.ts'

export interface Live {
  /** Undefined before the first event. */
  readonly state: PageState | undefined
  readonly happenings: readonly Happening[]
  readonly isConnected: boolean
}

const HAPPENINGS = 200

export function useLive(as: string): Live {
  const [live, tell] = useReducer(withNews, { state: undefined, happenings: [], isConnected: true })
  useEffect(() => listen(as, tell), [as])
  return live
}

function withNews(live: Live, news: News): Live {
  if ('state' in news) return { ...live, state: news.state }
  if ('views' in news)
    return live.state ? { ...live, state: { ...live.state, ...news.views } } : live
  if ('happening' in news) return { ...live, happenings: upsert(live.happenings, news.happening) }
  // After a restart of the server, happenings count from one again.
  const isBack = news.isConnected && !live.isConnected
  return { ...live, isConnected: news.isConnected, happenings: isBack ? [] : live.happenings }
}

function upsert(happenings: readonly Happening[], happening: Happening): readonly Happening[] {
  const isKnown = happenings.some(({ id }) => id === happening.id)
  return isKnown
    ? happenings.map((one) => (one.id === happening.id ? happening : one))
    : [...happenings, happening].slice(-HAPPENINGS)
}
