// Text of a log line, without its secrets. Pure.

const hidden = '[redacted]'

/**
 * Slack's tokens, what follows `Bearer`, addresses that let anybody post (response_url, webhooks), one-time pages, and what
 * services make tokens of: 32 hexadecimal digits or more. Tokens are never logged on purpose; this is for what somebody
 * else has put into an error.
 */
const secrets =
  /\b(?:xox[a-z](?:\.xox[a-z])?|xapp)-[\w.-]+|\bBearer\s+[\w.~+/=:-]+|https?:\/\/[^\s"'\\/]+\/(?:commands|actions|response|app|services)\/[^\s"'\\]+|\/connect\/[\w-]{20,}|\b[0-9a-f]{32,}\b/gi

/** The text without what looks like a secret. JSON stays JSON. */
export function redact(text: string): string {
  return text.replaceAll(secrets, hidden)
}

/** Without what breaks a line, steers a terminal, or turns the direction of the words beside it. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]+/gu, ' ')
}
