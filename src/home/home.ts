// Publishes somebody's Home tab, always from fresh data. The service is not asked: what it said before is kept.
import type { KnownBlock } from '@slack/types'
import type { OnRefusal } from '../account/connect-first.ts'
import type { Tokens } from '../account/tokens.ts'
import { type CardSettings, webLink } from '../alert/render/card.ts'
import type { Log } from '../log/log.ts'
import { classify, complaintsOf } from '../slack/client/refusals.ts'
import { type Clock, personKey, type SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import { isUnreadableView } from '../slack/outbound/readably.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import type { LinkOf } from '../slack/workspace/workspaces.ts'
import type { Watching } from '../watch/watching.ts'
import { createTurns } from '../work/turns.ts'
import type { Doing, Recent } from './recent.ts'
import {
  accountBlocks,
  type CardLinks,
  latelyBlocks,
  type OwnRequest,
  renderHome,
  renderPlainHome,
  requestBlocks,
} from './render.ts'
import { rightsIn } from './rights.ts'

/** Look-ups and grants together. */
const mostDone = 10
/** People whose open tabs are renewed; whoever opened theirs before so many others sees it renewed when they open it. */
const mostOpened = 10_000

export interface HomeTab {
  /** What Slack refuses is logged. */
  publish(owner: SlackUser): Promise<void>
  /** Something has changed elsewhere: publishes for whoever has had the tab open since the start. Never rejects. */
  refresh(owner: SlackUser): Promise<void>
  /** Keeps what the service refused somebody, for the next look at the tab. */
  readonly noteRefusal: OnRefusal
}

export function createHome(room: {
  readonly tokens: Pick<Tokens, 'since'>
  readonly watching: Pick<Watching, 'list'>
  readonly recent: Recent
  /** Somebody's own that are open. Supplied by whoever knows of approvals. */
  readonly ownRequests: (owner: SlackUser) => Promise<readonly OwnRequest[]>
  readonly linkOf: LinkOf
  readonly outbound: PerWorkspace<Pick<Outbound, 'publishHome'>>
  readonly settings: Pick<CardSettings, 'alertUrl'>
  readonly log: Log
  readonly now: Clock
}): HomeTab {
  const { tokens, watching, recent, ownRequests, linkOf, outbound, settings, log, now } = room
  const turns = createTurns()
  const opened = new Set<string>()

  async function account(owner: SlackUser): Promise<KnownBlock[]> {
    const since = await tokens.since(owner)
    if (since === undefined) return accountBlocks(undefined)
    return accountBlocks({ since, ...rightsIn(await recent.evidenceOf(owner, since)) })
  }

  async function withLinks({ workspaceId }: SlackUser, doing: Doing) {
    if (doing.kind === 'grant') return doing
    const link = doing.posted && (await linkOf(workspaceId, doing.posted))
    return { ...doing, link, webLink: webLink(settings, doing.ks) } satisfies CardLinks
  }

  async function lately(owner: SlackUser): Promise<KnownBlock[]> {
    return latelyBlocks(
      await Promise.all((await recent.lastOf(owner, mostDone)).map((doing) => withLinks(owner, doing))),
    )
  }

  /** One part that cannot be read must not cost the others. */
  async function read(part: string, blocks: Promise<readonly KnownBlock[]>) {
    try {
      return await blocks
    } catch (error) {
      log.error({ err: error, part }, 'a part of a Home tab could not be read')
      return undefined
    }
  }

  async function makeAndPublish(owner: SlackUser): Promise<void> {
    const [ofAccount, watches, requests, done] = await Promise.all([
      read('account', account(owner)),
      read(
        'watches',
        watching.list(owner).then(({ blocks }) => blocks),
      ),
      read('requests', ownRequests(owner).then(requestBlocks)),
      read('lately', lately(owner)),
    ])
    const home = renderHome({
      account: ofAccount,
      watches,
      requests,
      lately: done,
      takesLinks: settings.alertUrl !== undefined,
      asOf: Math.floor(now() / 1000),
    })
    const { publishHome } = outbound.in(owner.workspaceId)
    try {
      await publishHome(owner.userId, home).catch((error: unknown) => {
        if (!isUnreadableView(error)) throw error
        log.error({ err: error, complaints: complaintsOf(error) }, 'Slack cannot read a Home tab of ours')
        return publishHome(owner.userId, renderPlainHome())
      })
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      log.warn({ err: error, refusal: classify(error).word }, 'Slack did not take a Home tab')
    }
  }

  function noteOpened(key: string): void {
    opened.delete(key)
    opened.add(key)
    const [longestAgo] = opened
    if (opened.size > mostOpened && longestAgo !== undefined) opened.delete(longestAgo)
  }

  /** In turns, so that what was read earlier never replaces what was read later. */
  function publish({ workspaceId, userId }: SlackUser): Promise<void> {
    const owner = { workspaceId, userId }
    noteOpened(personKey(owner))
    return turns(personKey(owner), () => makeAndPublish(owner))
  }

  return {
    publish,
    async refresh(owner) {
      if (!opened.has(personKey(owner))) return
      await publish(owner).catch((error: unknown) => log.error({ err: error }, 'a Home tab was not renewed'))
    },
    async noteRefusal({ workspaceId, userId }, refusal) {
      try {
        const { kind, ks } = refusal
        // What was no alert's key for all that is known may be a token, typed in the wrong place.
        const isKept = ks !== undefined && withoutSecrets(ks) === ks
        await recent.refused({ workspaceId, userId }, { kind, ks: isKept ? ks : undefined })
      } catch (error) {
        log.warn({ err: error }, 'what the service refused could not be kept')
      }
    },
  }
}
