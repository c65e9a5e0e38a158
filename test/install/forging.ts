// Forges requests: what Slack sent for one workspace, sent again in the name of somebody else, signed as Slack signs.
import { type Json, list, record, text } from '../../playground/slack/model/json.ts'
import type { DeliveryKind } from '../../playground/slack/model/model.ts'
import { signedHeaders } from '../signed-request.ts'
import type { Sending } from './sendings.ts'
import type { Installs } from './world.ts'

/** In whose name it is sent again. */
export interface Forger {
  readonly userId: string
  readonly teamId: string
  /** For whom Slack delivers it. */
  readonly deliveredFor: { readonly teamId: string; readonly botUserId: string }
  readonly responseUrl: string
}

export function forged(
  { kind, payload }: Sending,
  { userId, teamId, deliveredFor, responseUrl }: Forger,
): Json {
  const { teamId: to, botUserId } = deliveredFor
  const answered = payload.response_url === undefined ? {} : { response_url: responseUrl }
  if (kind === 'slash_commands') return { ...payload, ...answered, team_id: to, user_id: userId }
  if (kind === 'event') {
    const event = record(payload.event)
    const user = typeof event.user === 'string' ? { user: userId } : {}
    const authorizations = [{ team_id: to, enterprise_id: null, user_id: botUserId, is_bot: true }]
    return { ...payload, team_id: to, context_team_id: to, authorizations, event: { ...event, ...user } }
  }
  const view = payload.view !== undefined && {
    view: { ...record(payload.view), app_installed_team_id: to, team_id: to },
  }
  const urls = list(payload.response_urls).map((one) => ({ ...record(one), response_url: responseUrl }))
  return {
    ...payload,
    ...answered,
    ...view,
    ...(urls.length > 0 ? { response_urls: urls } : {}),
    team: { id: to, domain: 'forged' },
    user: { ...record(payload.user), id: userId, team_id: teamId },
  }
}

export async function send(
  { front, clock, url }: Installs,
  kind: DeliveryKind,
  payload: Json,
): Promise<number> {
  const body =
    kind === 'event'
      ? JSON.stringify(payload)
      : kind === 'slash_commands'
        ? new URLSearchParams(
            Object.entries(payload).map(([name, one]): [string, string] => [name, String(one)]),
          ).toString()
        : `payload=${encodeURIComponent(JSON.stringify(payload))}`
  const type = kind === 'event' ? 'application/json' : 'application/x-www-form-urlencoded'
  const timestamp = String(Math.floor(clock.now() / 1000))
  const headers = { 'content-type': type, ...signedHeaders(body, front.app.signingSecret, timestamp) }
  return (await fetch(`${url}/slack/events`, { method: 'POST', headers, body })).status
}

/** A way to answer that belongs to the forger. */
export async function ownResponseUrl({ globex }: Installs): Promise<string> {
  const { payload } = await globex.admin.types('/alert help', globex.general)
  return text(payload.response_url) ?? ''
}
