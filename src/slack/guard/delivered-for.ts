// Installations that an event may be for: the one that Slack names and, where several customers of one Bellhop share a
// channel, the others that the event itself speaks of. Pure.
import { z } from 'zod'
import type { Addressed, Delivered } from './owner.ts'
import type { eventPayload } from './payloads.ts'

type Payload = z.infer<typeof eventPayload>

/**
 * Slack names at most one installation, whoever was mentioned.
 * Source: docs.slack.dev/changelog/2020-09-15-events-api-truncate-authed-users; slackapi/bolt-js#2008 (it names the one
 * that joined last); superset-sh/superset#4531 (mentions without the writer's team).
 */
export function deliveredFor({ event, ...envelope }: Payload): Delivered {
  const addressed = addressedBy(envelope)
  if (event.type === 'user_change') return { ...addressed, hints: { mentioned: [], teamIds: homeOf(event) } }
  const isShared = envelope.is_ext_shared_channel === true && written.has(event.type)
  return { ...addressed, hints: isShared ? hintsIn(event) : undefined }
}

/**
 * What somebody writes in a channel. In a direct message, at Home and when the bot is taken out, one installation alone
 * is meant, and Slack names it.
 */
const written: ReadonlySet<string> = new Set(['app_mention', 'link_shared'])

const team = z.string().optional().catch(undefined)
const said = z.looseObject({ text: z.string().catch(''), user_team: team, team })

/** As much of a message as may hold the mention; and so many of its mentions. */
const most = { characters: 10_000, mentions: 20 }

function hintsIn(event: Payload['event']): Delivered['hints'] {
  const { text, user_team, team } = said.parse(event)
  const mentions = text.slice(0, most.characters).matchAll(/<@([UW][A-Z0-9]{1,30})(?:\|[^<>]{0,80})?>/g)
  return {
    mentioned: [...new Set([...mentions].map(([, id = '']) => id))].slice(0, most.mentions),
    teamIds: [user_team, team].flatMap((one) => one || []),
  }
}

const changed = z.looseObject({ user: z.looseObject({ team_id: team }).catch({}) })

/** Where somebody belongs: the customers they share channels with are told of them as well. */
function homeOf(event: Payload['event']): readonly string[] {
  const { team_id: teamId } = changed.parse(event).user
  return teamId ? [teamId] : []
}

/** Where it happened may be another organisation, in a channel that is shared with it. */
function addressedBy(envelope: Omit<Payload, 'event'>): Addressed {
  const { authorizations, context_team_id, context_enterprise_id, team_id, enterprise_id } = envelope
  const [first] = authorizations ?? []
  if (first !== undefined) {
    return { teamId: first.team_id || undefined, enterpriseId: first.enterprise_id || undefined }
  }
  return {
    teamId: context_team_id || team_id || undefined,
    enterpriseId: context_enterprise_id || enterprise_id || undefined,
  }
}
