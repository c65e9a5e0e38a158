// The route to where one is, kept in the address: `?as=bob#on-call/<ts>` is bob in #on-call with a thread open.
import { useEffect, useState } from 'preact/hooks'
import type { ChannelState } from '../../state/state.ts'

export interface Route {
  /** Name of whoever one plays. */
  readonly as: string
  /** A channel's name, `bellhop` for its direct message, `home`; empty at first. */
  readonly place: string
  readonly threadTs: string | undefined
}

/** Whom one plays at first. */
export const FIRST = 'alice'

export const HOME = 'home'

export function placeOf({ kind, name }: ChannelState): string {
  return kind === 'im' ? name.toLowerCase() : name
}

export function addressOf(place: string, threadTs?: string): string {
  const thread = threadTs === undefined ? '' : `/${threadTs}`
  return `#${encodeURIComponent(place)}${thread}`
}

function readRoute(): Route {
  const [place = '', threadTs] = location.hash.slice(1).split('/')
  const as = new URLSearchParams(location.search).get('as') ?? FIRST
  return { as, place: decoded(place), threadTs: threadTs || undefined }
}

function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    return ''
  }
}

export function useRoute() {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const read = () => setRoute(readRoute())
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])

  return {
    route,
    go(place: string, threadTs?: string): void {
      const address = addressOf(place, threadTs)
      if (address !== location.hash) history.pushState(null, '', address)
      setRoute(readRoute())
    },
    /** Whom one plays is no step to go back from. */
    beAs(name: string): void {
      history.replaceState(null, '', `?as=${encodeURIComponent(name)}${location.hash}`)
      setRoute(readRoute())
    },
  }
}
