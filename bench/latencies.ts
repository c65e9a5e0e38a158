// Latencies of Slack and the service, where they are part of what is measured. Milliseconds.

/** Of a message, and of anything else that is asked of Slack. */
export const slackMs = 80
/** Of reading an alert. */
export const serviceMs = 40
