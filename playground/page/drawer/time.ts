// Durations and times of day, as the drawer writes them.
import type { Happening } from '../state/state.ts'

/** `12 ms`; from ten seconds on `12.3 s`. */
export function duration(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** From what was done to the end of the last request that has ended. */
export function totalMs({ steps }: Happening): number {
  return Math.max(0, ...steps.map(({ afterMs, tookMs }) => afterMs + (tookMs ?? 0)))
}

const clock = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})

/** @param at - Milliseconds since 1970. */
export function timeOfDay(at: number): string {
  return clock.format(at).replaceAll('\u202f', ' ')
}
