// The gallery's alerts: asking for one, cards and their histories, live cards, previews.
import { connectButton, renderConnectFirst } from '../../../src/account/render.ts'
import {
  type CardView,
  renderCard,
  renderInOneMessage,
  renderUnfurl,
} from '../../../src/alert/render/card.ts'
import { renderHelp } from '../../../src/alert/render/help.ts'
import { historyModal, renderHistory, renderNews } from '../../../src/alert/render/history.ts'
import { lookupModal } from '../../../src/alert/render/look-up-form.ts'
import {
  renderNoAlert,
  renderStillAsking,
  renderTryAgain,
  tokenSentence,
} from '../../../src/alert/render/no-card.ts'
import { isClosed } from '../../../src/alert/render/state.ts'
import { closedWords, renderOffer, renderWatches } from '../../../src/live/render.ts'
import type { Alert } from '../../../src/monitor/schema.ts'
import { tryAgainSentence } from '../../../src/monitor/words.ts'
import { belowLink, type Entry, forAll, forYou, modal } from './entry.ts'
import {
  action,
  alertUrl,
  asOf,
  cardSettings,
  closed,
  diskActions,
  diskFull,
  longStory,
  names,
  onCallId,
  singleHit,
  view,
} from './sample.ts'

const day = 24 * 60 * 60
const hostile: Alert = {
  ...singleHit({
    message: '<!channel> <@U012345> <https://evil.example|Click> &amp; *bold* `code` :tada:',
    severity: 1,
  }),
  ks: 'a/b?c=<d>&e%2F#f',
  lastMessage: '> quoted\n\n*two* <!here>\n```\nunfinished',
  lastTimestamp: asOf - 60,
}
const diskFullAsk = { kind: 'look-up', ks: 'disk-full', isPrivate: false, isWatched: false } as const

export const asking: readonly Entry[] = [
  forYou('Help for /alert', 'Somebody types `/alert help`.', renderHelp(alertUrl, true)),
  modal('Look up an alert', 'Somebody types `/alert` alone.', lookupModal({ takesLinks: true })),
  forYou(
    'No such alert',
    'No alert has this key, but the person has looked up one with a similar key.',
    renderNoAlert('disk-fulll', 'not-found', [diskFullAsk]),
  ),
  forYou(
    'No answer',
    'Monitoring doesn’t answer in time.',
    renderTryAgain(tryAgainSentence('unreachable'), diskFullAsk),
  ),
  forYou('Still asking', 'Monitoring takes its time.', renderStillAsking('disk-full', 'here')),
  forYou(
    'A token where a key belongs',
    'Somebody types a token after `/alert`.',
    renderConnectFirst(connectButton(), tokenSentence('command')),
  ),
  modal(
    'Several alerts in a message',
    'Somebody chooses _Look up this alert_ in the menu of a message that mentions several.',
    lookupModal({
      takesLinks: true,
      inThread: '{}',
      choices: ['disk-full', 'web server 503', 'cert-expiry'],
    }),
  ),
]

function card(name: string, when: string, alert: Alert, changes: Partial<CardView> = {}): Entry {
  return forAll(name, when, renderCard(cardSettings, view(alert, changes)))
}

const live = { names: ['alice', 'bob'], until: (asOf + day) * 1000 }

export const cards: readonly Entry[] = [
  card('An open alert', 'Somebody asks for an unassigned alert that was seen once.', singleHit()),
  card('An alert that got worse', 'It was seen again, more severe.', diskFull),
  card('A closed alert', 'Somebody has closed it.', closed),
  card(
    'A message full of markup',
    'Whatever an alert says stays plain text: it notifies nobody and makes no links.',
    hostile,
  ),
  card('A live card', 'Somebody watches the alert, so the card keeps itself up to date.', diskFull, {
    nextBy: asOf + 600,
    live,
  }),
  card('A live card that is out of date', 'Monitoring hasn’t answered for a while.', diskFull, {
    ...{ nextBy: asOf + 600, live },
    ...{ asOf: asOf - 4 * 60, isOverdue: true },
  }),
  forYou(
    'A private card',
    'Somebody asks with “private”: card and history come as one message.',
    renderInOneMessage(cardSettings, view(diskFull, { isPrivate: true }), undefined),
  ),
  forAll(
    'A card where Bellhop is no member',
    'Somebody asks in a private channel that Bellhop wasn’t invited to.',
    renderInOneMessage(cardSettings, view(singleHit()), 'invite'),
  ),
  belowLink(
    'A preview',
    'Somebody posts a link to an alert.',
    alertUrl.replace('{ks}', diskFull.ks),
    renderUnfurl(cardSettings, diskFull),
  ),
]

const news = { actions: [], older: diskActions.length, ending: undefined, mayStandTwice: false } as const

export const threads: readonly Entry[] = [
  forAll('A history', 'The first reply in a card’s thread.', renderHistory('card', diskActions, names)),
  modal(
    'History, page by page',
    'Somebody presses _Show earlier_.',
    historyModal('card', { ...diskFull, actions: longStory }, 23, names),
  ),
  forAll(
    'News',
    'There are new actions.',
    renderNews(cardSettings, 'card', {
      ...{ ...news, names },
      actions: [action(1, 'Comment', { userId: 7, message: 'Rotated, 41 % now.' })],
    }),
  ),
  forAll(
    'It got worse',
    'A watched alert gets worse.',
    renderNews(cardSettings, 'card', {
      ...news,
      change: { from: 2, to: 1, severity: 1, message: 'Disk /var on db-03 is 98 % full' },
    }),
  ),
  forAll(
    'Closed',
    'Somebody closes a watched alert.',
    renderNews(cardSettings, 'card', {
      ...{ ...news, names },
      actions: closed.actions.slice(-1),
      ending: isClosed(closed) ? closedWords(closed, names) : undefined,
    }),
  ),
]

export const watching: readonly Entry[] = [
  forYou(
    'A card that can’t stay live here',
    'Somebody wants to watch an alert in a channel that Bellhop isn’t in.',
    renderOffer('card', false),
  ),
  forYou(
    'Your watches',
    'Somebody types `/alert watches`.',
    renderWatches(cardSettings, [
      {
        ...{ cardId: 'disk', ks: diskFull.ks, channelId: onCallId, until: (asOf + day) * 1000 },
        shown: { alert: diskFull, asOf, look: '' },
        link: 'https://example.slack.com/archives/C0ONCALL/p1768520530000000',
      },
    ]),
  ),
]
