// The gallery's live cards: how they look, what their thread tells, and how they end.
import type { Change, Live } from '../../../../src/alert/cards.ts'
import { type CardView, renderCard } from '../../../../src/alert/render/card.ts'
import { renderNews } from '../../../../src/alert/render/history.ts'
import type { Alert } from '../../../../src/monitor/schema.ts'
import { type EndOfCard, endingWords, unreadWords } from '../../../../src/watch/render.ts'
import type { Ended } from '../../../../src/watch/watches.ts'
import { type Entry, forAll, onPhone } from '../stage/entry.ts'
import { action, asOf, cardSettings, closed, diskActions, diskFull, names, view } from '../stage/sample.ts'

const day = 24 * 60 * 60

function live(names: readonly string[]): Live {
  return { names, until: (asOf + day) * 1000 }
}

function card(name: string, when: string, changes: Partial<CardView>): Entry {
  return forAll(name, when, renderCard(cardSettings, view(diskFull, { nextBy: asOf + 600, ...changes })))
}

export const liveCards: readonly Entry[] = [
  card('A live card', 'Somebody watches the alert, so the card keeps itself up to date.', {
    live: live(['alice']),
  }),
  card('A live card that several people watch', 'More people watch it than fit on the card.', {
    live: live(['alice', 'bob', 'carol', 'dave', 'erin']),
  }),
  card(
    'A live card that is not up to date',
    'The service hasn’t answered for some time. The card updates again when it does.',
    { live: live(['alice']), asOf: asOf - 4 * 60, isOverdue: true },
  ),
  card('A private live card', 'Somebody asks with “private watch”. The card comes as a direct message.', {
    live: live(['alice']),
    isPrivate: true,
    canShare: false,
  }),
  onPhone(
    card('A live card on a phone', 'A live card that two people watch, 390 pixels wide.', {
      live: live(['alice', 'bob']),
    }),
  ),
]

/** A reply in the thread that says how it ended. */
function ending(name: string, when: string, end: EndOfCard, actions: Alert['actions'] = []): Entry {
  const words = endingWords(end, 24, names)
  const news = { actions, older: diskActions.length, names, ending: words, mayStandTwice: false }
  return forAll(name, when, renderNews(cardSettings, 'card', news))
}

function left(name: string, when: string, why: Ended): Entry {
  return ending(name, when, { kind: 'left', name: 'alice', why })
}

const closedBy = (kind: string, data: Alert['actions'][number]['data'] = null): EndOfCard => ({
  kind: 'closed',
  alert: { ...closed, actions: [...diskActions, action(5, kind, data)] },
})

/** A reply in the thread that says how the alert stands now. */
function changed(name: string, when: string, change: Change): Entry {
  const news = { actions: [], older: diskActions.length, ending: undefined, mayStandTwice: false }
  return forAll(name, when, renderNews(cardSettings, 'card', { ...news, change }))
}

export const inTheThread: readonly Entry[] = [
  changed('It got worse, in the thread', 'The alert gets worse.', {
    ...{ from: 2, to: 1, severity: 1, message: 'Disk /var on db-03 is 98 % full' },
  }),
  changed('It got better, in the thread', 'The alert gets better.', {
    ...{ from: 1, to: 4, severity: 4, message: 'Disk /var on db-03 is 88 % full' },
  }),
  changed('It is open again, in the thread', 'A closed alert opens again.', {
    ...{ from: 'closed', to: 2, severity: 2, message: 'Disk /var on db-03 is 96 % full' },
  }),
  changed(
    'Closed elsewhere',
    'While checking another card of this alert, Bellhop sees that it’s closed. Only in channels that aren’t shared with another organisation.',
    { from: 2, to: 'closed', severity: 2, message: '', closedSince: asOf },
  ),
  forAll(
    'News that may be a duplicate',
    'Bellhop was interrupted while posting, and Slack doesn’t let it check whether the reply is there.',
    renderNews(cardSettings, 'card', {
      actions: [action(1, 'Comment', { userId: 7, message: 'Rotated, 41 % now.' })],
      older: diskActions.length,
      names,
      ending: undefined,
      mayStandTwice: true,
    }),
  ),
  forAll(
    'Cannot be read',
    'The service hasn’t answered for some time. The thread says so once.',
    renderNews(cardSettings, 'card', {
      actions: [],
      older: diskActions.length,
      ending: { words: unreadWords },
      mayStandTwice: false,
    }),
  ),
  ending(
    'News, and the end',
    'Somebody closes a watched alert.',
    { kind: 'closed', alert: closed },
    closed.actions.slice(-1),
  ),
]

export const endings: readonly Entry[] = [
  ending(
    'Live no longer: closed',
    'Somebody closes a watched alert.',
    closedBy('Close', { userId: 7, message: 'Old logs removed, rotation fixed.' }),
  ),
  ending('Live no longer: closed by itself', 'The alert closes by itself.', closedBy('AutoClose')),
  ending(
    'Live no longer: closed with another',
    'The alert is closed along with another one.',
    closedBy('IndirectClose', { alertKs: 'db-03-down' }),
  ),
  ending('Live no longer: closed somehow', 'The alert is closed, and no action says how.', {
    kind: 'closed',
    alert: { ...closed, actions: diskActions },
  }),
  ending('Live no longer: gone', 'The service no longer has the alert.', { kind: 'missing' }),
  left('Live no longer: time over', 'The last watch has reached its time limit (WATCH_TTL_HOURS).', {
    kind: 'lifetime',
  }),
  left('Live no longer: stopped', 'The last watcher presses Stop watching.', {
    kind: 'stopped',
    by: 'alice',
  }),
  left('Live no longer: token refused', 'The service no longer accepts the last watcher’s token.', {
    kind: 'refused',
  }),
  left('Live no longer: not allowed', 'The last watcher is no longer allowed to see the alert.', {
    kind: 'forbidden',
  }),
  left(
    'Live no longer: disconnected',
    'The last watcher disconnects their account, or leaves the workspace.',
    {
      kind: 'disconnected',
    },
  ),
  left('Live no longer: shared', 'The card’s channel is now shared with another organisation.', {
    kind: 'shared',
  }),
  left(
    'Live no longer: perhaps shared',
    'The card’s channel was shared with somebody, and Slack doesn’t say whether that is another organisation.',
    { kind: 'shared', isUnsaid: true },
  ),
  left(
    'Live no longer: out of reach',
    'Bellhop told the watchers that the card was gone, and then reached it again.',
    { kind: 'gone' },
  ),
]
