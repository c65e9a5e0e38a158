// Publishes somebody's Home tab, always from fresh data. The service is not asked: what it said before is kept.
import type { KnownBlock } from '@slack/types'
import type { Refusal } from '../account/room.ts'
import { webLink } from '../alert/render/card.ts'
import { classify, complaintsOf } from '../slack/client/refusals.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import { isUnreadableView } from '../slack/outbound/readably.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import { listWatches } from '../watch/watching.ts'
import type { Doing } from './recent.ts'
import {
  accountBlocks,
  type CardLinks,
  latelyBlocks,
  renderHome,
  renderPlainHome,
  requestBlocks,
} from './render.ts'
import { rightsIn } from './rights.ts'
import type { HomeRoom } from './room.ts'

/** Look-ups and grants together. */
const mostDone = 10
/** People whose open tabs are renewed; whoever opened theirs before so many others sees it renewed when they open it. */
const mostOpened = 10_000

/**
 * Publishes somebody's tab. What Slack refuses is logged. In turns, so that what was read earlier never replaces what
 * was read later.
 */
export function publishHome(room: HomeRoom, { workspaceId, userId }: SlackUser): Promise<void> {
  const owner = { workspaceId, userId }
  noteOpened(room, personKey(owner))
  return room.turns(personKey(owner), () => makeAndPublish(room, owner))
}

/** Something has changed elsewhere: publishes for whoever has had the tab open since the start. Never rejects. */
export async function refreshHome(room: HomeRoom, owner: SlackUser): Promise<void> {
  if (!room.opened.has(personKey(owner))) return
  await publishHome(room, owner).catch((error: unknown) =>
    room.log.error({ err: error }, 'a Home tab was not renewed'),
  )
}

/** Keeps what the service refused somebody, for the next look at the tab. Never rejects. */
export async function noteRefusal(
  { recent, log }: Pick<HomeRoom, 'recent' | 'log'>,
  { workspaceId, userId }: SlackUser,
  { kind, ks }: Refusal,
): Promise<void> {
  try {
    // What was no alert's key for all that is known may be a token, typed in the wrong place.
    const isKept = ks !== undefined && withoutSecrets(ks) === ks
    await recent.refused({ workspaceId, userId }, { kind, ks: isKept ? ks : undefined })
  } catch (error) {
    log.warn({ err: error }, 'what the service refused could not be kept')
  }
}

function noteOpened({ opened }: HomeRoom, key: string): void {
  opened.delete(key)
  opened.add(key)
  const [longestAgo] = opened
  if (opened.size > mostOpened && longestAgo !== undefined) opened.delete(longestAgo)
}

async function makeAndPublish(room: HomeRoom, owner: SlackUser): Promise<void> {
  const { settings, log } = room
  const [ofAccount, watches, requests, done] = await Promise.all([
    read(room, 'account', account(room, owner)),
    read(
      room,
      'watches',
      listWatches(room.watch, owner).then(({ blocks }) => blocks),
    ),
    read(room, 'requests', room.ownRequests(owner).then(requestBlocks)),
    read(room, 'lately', lately(room, owner)),
  ])
  const home = renderHome({
    account: ofAccount,
    watches,
    requests,
    lately: done,
    takesLinks: settings.alertUrl !== undefined,
    asOf: Math.floor(room.now() / 1000),
  })
  const slack = room.outbound.in(owner.workspaceId)
  try {
    await slack.publishHome(owner.userId, home).catch((error: unknown) => {
      if (!isUnreadableView(error)) throw error
      log.error({ err: error, complaints: complaintsOf(error) }, 'Slack cannot read a Home tab of ours')
      return slack.publishHome(owner.userId, renderPlainHome())
    })
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    log.warn({ err: error, refusal: classify(error).word }, 'Slack did not take a Home tab')
  }
}

/** One part that cannot be read must not cost the others. */
async function read({ log }: HomeRoom, part: string, blocks: Promise<readonly KnownBlock[]>) {
  try {
    return await blocks
  } catch (error) {
    log.error({ err: error, part }, 'a part of a Home tab could not be read')
    return undefined
  }
}

async function account({ tokens, recent }: HomeRoom, owner: SlackUser): Promise<KnownBlock[]> {
  const since = await tokens.since(owner)
  if (since === undefined) return accountBlocks(undefined)
  return accountBlocks({ since, ...rightsIn(await recent.evidenceOf(owner, since)) })
}

async function lately(room: HomeRoom, owner: SlackUser): Promise<KnownBlock[]> {
  const last = await room.recent.lastOf(owner, mostDone)
  return latelyBlocks(await Promise.all(last.map((doing) => withLinks(room, owner, doing))))
}

async function withLinks({ linkOf, settings }: HomeRoom, { workspaceId }: SlackUser, doing: Doing) {
  if (doing.kind === 'grant') return doing
  const link = doing.posted && (await linkOf(workspaceId, doing.posted))
  return { ...doing, link, webLink: webLink(settings, doing.ks, doing.alertLink) } satisfies CardLinks
}
