// The time of a request, as a bar in the time that the whole happening took.
import { html } from 'htm/preact'

interface TimeBarProps {
  readonly afterMs: number
  /** Undefined while it is under way: the bar goes to the end. */
  readonly tookMs: number | undefined
  readonly total: number
}

const LENGTH = 1_000
/** The shortest request can still be seen. */
const SHORTEST = 8

export function TimeBar({ afterMs, tookMs, total }: TimeBarProps) {
  const scale = LENGTH / Math.max(total, 1)
  const start = Math.min(afterMs * scale, LENGTH - SHORTEST)
  const end = tookMs === undefined ? LENGTH : (afterMs + tookMs) * scale
  return html`
    <svg class="d-bar" viewBox=${`0 0 ${LENGTH} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="d-bar-whole" width=${LENGTH} height="1" />
      <rect class="d-bar-part" x=${start} width=${Math.max(end - start, SHORTEST)} height="1" />
    </svg>
  `
}
