// Errors by where the fault lies: with the asker, with the service or in the configuration. Slack’s are in slack/client.ts;
// every other error that is thrown is our defect.

/** A mistake that the asker can mend. The message is one sentence and is shown to them as it stands, in plain text. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** Why the monitoring service did not do what was asked. */
export const monitorErrorCodes = [
  'bad-request', // 400
  'refused', // 401
  'forbidden', // 403
  'not-found', // 404
  'busy', // 429 or 5xx, on the last try as well
  'unreachable', // No answer at all: no connection, connection lost, time budget used up
  'malformed', // Outside the contract: wrong type, not JSON, too large, a redirect, an odd status
] as const

export type MonitorErrorCode = (typeof monitorErrorCodes)[number]

/** A refusal or a failure of the service when it was asked for something. Never holds a token, a header or a body. */
export class MonitorError extends Error {
  override readonly name = 'MonitorError'
  readonly code: MonitorErrorCode
  /** Milliseconds for which the service asked to be left alone; 0 if it asked for none. */
  readonly retryAfterMs: number

  constructor(code: MonitorErrorCode, message: string, retryAfterMs = 0) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** Resolves to the service’s answer, or to the MonitorError that says why there is none. @throws Any other error. */
export function orMonitorError<T>(asked: Promise<T>): Promise<T | MonitorError> {
  return asked.catch((error: unknown) => {
    if (error instanceof MonitorError) return error
    throw error
  })
}

/**
 * Mistakes that the operator can mend: every problem of the configuration at once, each naming its variable and the remedy.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The code that Node, the system, undici or PostgreSQL gave an error, such as `ENOENT` or `23505`. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
