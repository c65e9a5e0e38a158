// The gallery's Home tab: with and without an account, full and empty, and when something is wrong.
import type { Evidence } from '../../../../src/home/recent.ts'
import {
  accountBlocks,
  type HomeParts,
  latelyBlocks,
  type OwnRequest,
  renderHome,
  renderPlainHome,
  requestBlocks,
} from '../../../../src/home/render.ts'
import { rightsIn } from '../../../../src/home/rights.ts'
import { renderWatches } from '../../../../src/watch/render.ts'
import { type Entry, homeTab, onPhone } from '../stage/entry.ts'
import { alertUrl, asOf, cardSettings, diskFull, onCallId, singleHit } from '../stage/sample.ts'

const hour = 60 * 60_000
const now = asOf * 1000
const since = now - 50 * hour
const link = 'https://example.slack.com/archives/C0ONCALL/p1768520530000000'

const evidence: readonly Evidence[] = [
  { kind: 'read', at: now - hour },
  { kind: 'granted', at: now - 2 * hour, containerId: 12 },
  { kind: 'not-granted', at: now - 3 * hour, containerId: 34 },
  { kind: 'not-read', at: now - 4 * hour, ks: 'backup-late' },
]

const manyContainers: readonly Evidence[] = Array.from({ length: 9 }, (_, index) => ({
  kind: 'granted',
  at: now - index * hour,
  containerId: 12 + index,
}))

const requests: readonly OwnRequest[] = Array.from({ length: 11 }, (_, index) => ({
  words: `erin@example.com as a responder on container ${34 + index}`,
  link,
  until: now + (20 - index) * hour,
}))

const watched = renderWatches(cardSettings, [
  {
    cardId: 'disk',
    ks: diskFull.ks,
    channelId: onCallId,
    until: now + 20 * hour,
    shown: { alert: diskFull, asOf, isOverdue: false, look: '' },
    link,
  },
])

function lookedUp(ks: string, title: string, at: number, isLinked = true) {
  const webLink = alertUrl.replace('{ks}', ks)
  return {
    kind: 'look-up',
    at,
    ks,
    title,
    posted: undefined,
    link: isLinked ? link : undefined,
    webLink,
  } as const
}

const [dave, erin, frank] = ['dave@example.com', 'erin@example.com', 'frank@example.com'] as const

const lately = latelyBlocks([
  lookedUp(diskFull.ks, diskFull.lastMessage, now - hour),
  { kind: 'grant', at: now - 2 * hour, containerId: 12, people: [{ email: dave, end: 'granted' }] },
  { kind: 'grant', at: now - 3 * hour, containerId: 34, people: [{ email: dave, end: 'not-granted' }] },
  {
    kind: 'grant',
    at: now - 4 * hour,
    containerId: 12,
    people: [
      { email: erin, end: 'granted' },
      { email: dave, end: 'granted' },
      { email: frank, end: 'uncertain' },
    ],
  },
  { ...lookedUp('5HkX', singleHit().message, now - 5 * hour, false), webLink: undefined },
])

const empty: HomeParts = {
  account: accountBlocks({ since, ...rightsIn([]) }),
  watches: renderWatches(cardSettings, []).blocks,
  requests: [],
  lately: latelyBlocks([]),
  takesLinks: true,
  asOf,
}

const full: HomeParts = {
  ...empty,
  account: accountBlocks({ since, ...rightsIn(evidence) }),
  watches: watched.blocks,
  requests: requestBlocks(requests.slice(0, 1)),
  lately,
}

const inUse = 'Somebody who uses Bellhop opens its Home tab.'

export const home: readonly Entry[] = [
  homeTab(
    'Home, not connected',
    'Somebody without an account opens the Home tab.',
    renderHome({ ...empty, account: accountBlocks(undefined) }),
  ),
  homeTab('Home, just connected', 'They have connected, and done nothing yet.', renderHome(empty)),
  homeTab('Home, in use', inUse, renderHome(full)),
  onPhone(homeTab('Home on a phone', 'The same, 390 pixels wide.', renderHome(full))),
  homeTab(
    'Home, token refused',
    'The service refused their token when it was last used.',
    renderHome({
      ...empty,
      account: accountBlocks({ since, ...rightsIn([{ kind: 'refused', at: now - hour }]) }),
    }),
  ),
  homeTab(
    'Home, token without rights',
    'The service said that the token lacks permission, when it was connected.',
    renderHome({
      ...empty,
      account: accountBlocks({ since, ...rightsIn([{ kind: 'not-read', at: since, ks: undefined }]) }),
    }),
  ),
  homeTab(
    'Home, more than fits',
    'There are more rights and requests than are listed.',
    renderHome({
      ...empty,
      account: accountBlocks({ since, ...rightsIn(manyContainers) }),
      requests: requestBlocks(requests),
    }),
  ),
  homeTab(
    'Home, refused by Slack',
    'Slack refuses the tab as it is drawn, without its links too.',
    renderPlainHome(),
  ),
  homeTab(
    'Home, a part that cannot be read',
    'The database did not give what somebody did lately.',
    renderHome({ ...empty, lately: undefined }),
  ),
]
