// A date in a text, as its reader sees it.
import { html } from 'htm/preact'
import { now } from '../../state/clock.ts'
import { exactDate, formatDate } from './date.ts'
import { Link } from './link.ts'

interface MomentProps {
  readonly timestamp: number
  readonly format: string
  readonly fallback: string
  readonly url?: string | undefined
}

export function Moment({ timestamp, format, fallback, url }: MomentProps) {
  const reader = { zone: undefined, now: now() }
  const shown = formatDate(timestamp, format, reader)
  if (shown === undefined) return html`<span>${fallback}</span>`
  const exact = new Date(timestamp * 1000).toISOString()
  const date = html`<time class="b-date" datetime=${exact} title=${exactDate(timestamp, reader)}>${shown}</time>`
  return url === undefined ? date : html`<${Link} url=${url}>${date}<//>`
}
