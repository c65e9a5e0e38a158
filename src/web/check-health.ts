// Whether the Bellhop in this container is alive, for its HEALTHCHECK: exits with 0 when it is, with 1 when not.
// It runs every half minute, so it loads nothing: no parser of settings, either.

/** Less than the time-out of the check, so that it ends by itself. */
const patienceMs = 4_000
const port = process.env.PORT?.trim() || '3000'

try {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(patienceMs) })
  process.exitCode = answer.ok ? 0 : 1
} catch {
  process.exitCode = 1
}
