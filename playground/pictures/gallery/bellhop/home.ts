// The gallery's Home tab: with and without an account, full and empty, and when something is wrong.
import { type Evidence, type GrantEnd, rightsIn } from '../../../../src/home/recent.ts'
import {
  accountBlocks,
  alertBlocks,
  grantBlocks,
  type HomeParts,
  liveBlocks,
  ownRequestBlocks,
  renderHome,
  renderPlainHome,
  type ShownRequest,
  waitingBlocks,
  whoBlocks,
} from '../../../../src/home/render.ts'
import type { ListedWatch } from '../../../../src/watch/render.ts'
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

function request(words: string, hours: number, askerName = 'Bob Baker'): ShownRequest {
  return { askerName, words, link, until: now + hours * hour }
}

const own = [request('Responder on container 34 for erin@example.com', 20)]
const waiting = [
  request('Responder on container 12 for grace@example.com', 3),
  request('3 flags, 1 of them sensitive on container 34 for heidi@example.com and 2 more', 22, 'Dave Diver'),
]
const manyRequests = Array.from({ length: 12 }, (_, index) =>
  request(`Responder on container ${34 + index} for erin@example.com`, 2 + index),
)

function watched(cardId: string, alert: typeof diskFull): ListedWatch {
  const shown = { alert, asOf, isOverdue: false, look: '' }
  return { cardId, ks: alert.ks, channelId: onCallId, until: now + 20 * hour, shown, link }
}

const manyWatched = Array.from({ length: 12 }, (_, index) =>
  watched(`disk-${index}`, { ...diskFull, ks: `disk-${index}`, lastMessage: `Disk /data${index} is full` }),
)

function lookedUp(ks: string, title: string, at: number, isLinked = true) {
  const webLink = alertUrl.replace('{ks}', ks)
  return { at, ks, title, posted: undefined, link: isLinked ? link : undefined, webLink }
}

const [dave, erin, frank, grace] = ['dave', 'erin', 'frank', 'grace'].map((name) => `${name}@example.com`)
const single = singleHit()

const alerts = alertBlocks([
  lookedUp(diskFull.ks, diskFull.lastMessage, now - hour),
  lookedUp('web-503', 'shop.example.com answers 503', now - 3 * hour, false),
  { ...lookedUp(single.ks, single.message, now - 5 * hour, false), webLink: undefined },
])

const one = (email = '', end: GrantEnd = 'done') => ({ email, end })

/** One whose name is known, and another. */
const customer = { containerId: 12, container: 'Customer 1 (12)' }

const grants = grantBlocks([
  { ...customer, at: now - hour, permissions: [], words: 'Responder', people: [one(grace)] },
  { ...customer, at: now - 2 * hour, permissions: [], words: 'Viewer', people: [one(dave, 'under-way')] },
  {
    ...{ at: now - 3 * hour, containerId: 34, permissions: [] },
    ...{ words: '3 flags, 1 of them sensitive', people: [one(dave, 'not-done')] },
  },
  {
    ...{ ...customer, at: now - 4 * hour, permissions: [], words: 'Dashboards only' },
    people: [one(erin), one(dave), one(frank, 'uncertain')],
  },
])

const empty: HomeParts = {
  account: accountBlocks({ since, ...rightsIn([]) }),
  who: [],
  waiting: [],
  requests: [],
  live: [],
  alerts: [],
  grants: [],
  takesLinks: true,
  asOf,
}

const full: HomeParts = {
  ...empty,
  account: accountBlocks({ since, ...rightsIn(evidence) }),
  waiting: waitingBlocks(waiting),
  requests: ownRequestBlocks(own),
  live: liveBlocks(cardSettings, [watched('disk', diskFull)]),
  alerts,
  grants,
}

const inUse = 'Somebody who uses Bellhop opens its Home tab.'

export const home: readonly Entry[] = [
  homeTab(
    'Home, not connected',
    'Somebody without an account opens the Home tab.',
    renderHome({ ...empty, account: accountBlocks(undefined) }),
  ),
  homeTab('Home, just connected', 'They’ve connected, and done nothing else yet.', renderHome(empty)),
  homeTab('Home, in use', inUse, renderHome(full)),
  onPhone(homeTab('Home on a phone', 'The same, 390 pixels wide.', renderHome(full))),
  homeTab(
    'Home, token refused',
    'The service refused their token the last time it was used.',
    renderHome({
      ...full,
      account: accountBlocks({ since, ...rightsIn([{ kind: 'refused', at: now - hour }]) }),
    }),
  ),
  homeTab(
    'Home, token without permissions',
    'When they connected, the service said that the token lacks permission.',
    renderHome({
      ...empty,
      account: accountBlocks({ since, ...rightsIn([{ kind: 'not-read', at: since, ks: undefined }]) }),
    }),
  ),
  homeTab(
    'Home, more than fits',
    'There are more requests, live cards and permissions than the tab lists.',
    renderHome({
      ...empty,
      account: accountBlocks({ since, ...rightsIn(manyContainers) }),
      waiting: waitingBlocks(manyRequests),
      requests: ownRequestBlocks(manyRequests),
      live: liveBlocks(cardSettings, manyWatched),
    }),
  ),
  homeTab(
    'Home, with who you are',
    'They’ve pressed _Assign to me_, and monitoring has shown who they are.',
    renderHome({ ...empty, who: whoBlocks({ name: 'Dave Doe', userId: 9, standing: 'proven' }) }),
  ),
  homeTab(
    'Home, with who you said you are',
    'They’ve chosen who they are. Their new token hasn’t shown a name yet.',
    renderHome({ ...empty, who: whoBlocks({ name: undefined, userId: 9, standing: 'said' }) }),
  ),
  homeTab(
    'Home, when you’re somebody else',
    'They’ve chosen who they are, and monitoring has shown that it’s a colleague.',
    renderHome({ ...empty, who: whoBlocks({ name: 'Dave Doe', userId: 9, standing: 'overruled' }) }),
  ),
  homeTab('Home, refused by Slack', 'Slack refuses the tab, even without its links.', renderPlainHome()),
  homeTab(
    'Home, with a part missing',
    'Bellhop couldn’t read their account or their look-ups from the database.',
    renderHome({ ...full, account: undefined, alerts: undefined }),
  ),
]
