// Publishes somebody's Home tab, always from fresh data. The service is not asked: what it said before is kept.
import type { Tokens } from '../account/tokens.ts'
import { type CardSettings, webLink } from '../alert/render/card.ts'
import type { Log } from '../log/log.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Gate } from '../slack/gate/gate.ts'
import { type Clock, type PerWorkspace, personKey, type SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Scopes } from '../slack/workspace/scopes.ts'
import type { WatchRoom } from '../watch/room.ts'
import { ownWatches } from '../watch/watching.ts'
import type { Turns } from '../work/turns.ts'
import type { Recent } from './recent.ts'
import {
  accountBlocks,
  alertBlocks,
  grantBlocks,
  type LinkedLookUp,
  liveBlocks,
  type OwnLink,
  ownRequestBlocks,
  renderHome,
  type ShownRequest,
  waitingBlocks,
  whoBlocks,
} from './render.ts'

/** Needs of the Home tab. */
export interface HomeRoom {
  readonly tokens: Pick<Tokens, 'since' | 'forget'>
  readonly watch: WatchRoom
  readonly recent: Recent
  /** Somebody's own that are open. Supplied by whoever knows of approvals, like the next. */
  readonly ownRequests: (owner: SlackUser) => Promise<readonly ShownRequest[]>
  /** Those of others that somebody can read already. */
  readonly waitingRequests: (reader: SlackUser) => Promise<readonly ShownRequest[]>
  /** Names the access that flags give, in a few words, raw. Supplied by whoever knows of grants. */
  readonly accessWords: (permissions: readonly string[]) => string
  /** “Customer 1 (12)”, raw, where this person’s token has shown the name. Asks the service nothing. */
  readonly containerWords: (owner: SlackUser, containerId: number) => Promise<string | undefined>
  /** Who somebody is at the service, as they can see it; asks it nothing. Undefined where nobody knows, or must not. */
  readonly ownLink: (owner: SlackUser) => Promise<OwnLink | undefined>
  readonly forgetLink: (owner: SlackUser) => Promise<void>
  readonly linkOf: LinkOf
  readonly outbound: PerWorkspace<Pick<Outbound, 'publishHome'>>
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly gate: Pick<Gate, 'chargeSilently'>
  /** Of one person's tab. */
  readonly turns: Turns
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}

/** Alerts, and grants. */
const mostDone = 5
/** Among so many look-ups those alerts are looked for: who follows one closely has looked it up again and again. */
const mostLookUps = 50
/**
 * Publishes somebody's tab. What Slack refuses is logged. In turns, so that what was read earlier never replaces what
 * was read later.
 */
export function publishHome(room: HomeRoom, { workspaceId, userId }: SlackUser): Promise<void> {
  const owner = { workspaceId, userId }
  return room.turns(personKey(owner), () => makeAndPublish(room, owner))
}

async function makeAndPublish(room: HomeRoom, owner: SlackUser): Promise<void> {
  const { settings, log } = room
  const [ofAccount, who, waiting, requests, live, alerts, grants] = await Promise.all([
    read(room, 'account', room.tokens.since(owner).then(accountBlocks)),
    read(room, 'who', room.ownLink(owner).then(whoBlocks)),
    read(room, 'waiting', room.waitingRequests(owner).then(waitingBlocks)),
    read(room, 'requests', room.ownRequests(owner).then(ownRequestBlocks)),
    read(
      room,
      'live',
      ownWatches(room.watch, owner).then((own) => liveBlocks(settings, own)),
    ),
    read(room, 'alerts', lastAlerts(room, owner).then(alertBlocks)),
    read(room, 'grants', lastGrants(room, owner).then(grantBlocks)),
  ])
  const home = renderHome({
    account: ofAccount,
    who,
    waiting,
    requests,
    live,
    alerts,
    grants,
    takesLinks: settings.alertUrl !== undefined,
    asOf: Math.floor(room.now() / 1000),
  })
  try {
    await room.outbound.in(owner.workspaceId).publishHome(owner.userId, home)
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    log.warn({ err: error, refusal: classify(error).word }, 'Slack did not accept a Home tab')
  }
}

/** One part that cannot be read must not cost the others. */
async function read<T>({ log }: HomeRoom, part: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    log.error({ err: error, part }, 'a part of a Home tab could not be read')
    return undefined
  }
}

/** The last alerts that somebody looked up, each once. */
async function lastAlerts(
  { recent, linkOf, settings }: HomeRoom,
  owner: SlackUser,
): Promise<readonly LinkedLookUp[]> {
  const lookUps = await recent.lookUpsOf(owner, mostLookUps)
  const newest = new Map(lookUps.toReversed().map((one) => [one.ks, one]))
  const last = [...newest.values()].toSorted((one, other) => other.at - one.at).slice(0, mostDone)
  return Promise.all(
    last.map(async (one) => ({
      ...one,
      link: one.posted && (await linkOf(owner.workspaceId, one.posted)),
      webLink: webLink(settings, one.ks, one.alertLink),
    })),
  )
}

async function lastGrants({ recent, accessWords, containerWords }: HomeRoom, owner: SlackUser) {
  const grants = await recent.grantsOf(owner, mostDone)
  return Promise.all(
    grants.map(async (grant) => ({
      ...grant,
      words: accessWords(grant.permissions),
      container: await containerWords(owner, grant.containerId),
    })),
  )
}
