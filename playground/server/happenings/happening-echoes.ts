// Echoes: Slack tells the bot of its own doing, as every message of its own in a direct message comes back to it as an
// event.
import { record } from '../../slack/model/json.ts'
import type { StartedDelivery } from '../../slack/model/model.ts'

/** Nothing follows from it, and nobody needs to hear of it. Messages change here, or go, by the bot alone. */
export function isEcho({ kind, payload }: StartedDelivery, bot: { readonly botId: string }): boolean {
  const { type, hidden, bot_id: writer } = record(payload.event)
  return kind === 'event' && type === 'message' && (hidden === true || writer === bot.botId)
}
