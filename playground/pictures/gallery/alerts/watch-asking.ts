// The gallery's words around watching: where cards can't stay live, your watches, direct messages to watchers.
import { connectButton, renderConnectFirst } from '../../../../src/account/render.ts'
import {
  type ListedWatch,
  nameOf,
  refusedWatchWords,
  renderGone,
  renderNotAllowed,
  renderOffer,
  renderStopped,
  renderThreadOnly,
  renderWatchedDirectly,
  renderWatches,
  renderWatching,
  renderWorse,
} from '../../../../src/watch/render.ts'
import { type Entry, forAll, forYou } from '../stage/entry.ts'
import { asOf, cardSettings, diskFull, onCallId, singleHit } from '../stage/sample.ts'

const hour = 60 * 60
const link = 'https://example.slack.com/archives/C0ONCALL/p1768520530000000'

const listed: readonly ListedWatch[] = [
  {
    cardId: 'disk',
    ks: diskFull.ks,
    channelId: onCallId,
    until: (asOf + 20 * hour) * 1000,
    shown: { alert: diskFull, asOf, isOverdue: false, look: '' },
    link,
  },
  {
    cardId: 'shop',
    ks: '5HkX',
    channelId: 'D0ALICE',
    until: (asOf + 23 * hour) * 1000,
    shown: { alert: singleHit(), asOf, isOverdue: false, look: '' },
    link,
  },
  {
    cardId: 'new',
    ks: 'backup-late',
    channelId: onCallId,
    until: (asOf + 24 * hour) * 1000,
    shown: undefined,
    link: undefined,
  },
]

export const elsewhere: readonly Entry[] = [
  forYou(
    'A card cannot stay live in this channel',
    'Somebody wants to watch an alert in a channel that the bot isn’t in.',
    renderOffer('card', false),
  ),
  forYou(
    'A card cannot stay live in this conversation',
    'Somebody wants to watch an alert in a direct message with another person.',
    renderOffer('card', true),
  ),
  forYou(
    'Live in the direct messages',
    'Bellhop posted the live card in the person’s direct messages.',
    renderWatchedDirectly(link),
  ),
  forYou(
    'Watched already',
    'Somebody presses Watch on a card that they’re already watching.',
    renderWatching({ cardId: 'card', until: (asOf + 24 * hour) * 1000 }),
  ),
  forYou(
    'Live in this channel already',
    'Somebody wants to watch an alert that already has a live card in this channel.',
    renderWatching({ cardId: 'card', until: (asOf + 24 * hour) * 1000, elsewhere: { link } }),
  ),
  forYou('Watched no more', 'Somebody presses Stop watching in that message.', renderStopped()),
]

export const lists: readonly Entry[] = [
  forYou(
    'Nothing watched',
    'Somebody who watches nothing types `/alert watches`.',
    renderWatches(cardSettings, []),
  ),
  forYou(
    'One alert watched',
    'Somebody types `/alert watches`.',
    renderWatches(cardSettings, listed.slice(0, 1)),
  ),
  forYou(
    'Several alerts watched',
    'The same, including a card that Bellhop hasn’t drawn yet.',
    renderWatches(cardSettings, listed),
  ),
]

const name = nameOf(diskFull.ks, listed[0]?.shown)

const worse = { cardId: 'card', alert: diskFull, channelId: onCallId, link, mayStandTwice: false } as const

export const toldDirectly: readonly Entry[] = [
  forAll(
    'It got worse',
    'An alert that somebody watches gets worse: they get a direct message.',
    renderWorse(cardSettings, { ...worse, from: 4 }),
  ),
  forAll(
    'It is open again',
    'An alert that somebody watches was closed and opens again.',
    renderWorse(cardSettings, { ...worse, from: 'closed' }),
  ),
  forAll(
    'It got worse, perhaps sent twice',
    'A watched alert gets worse, and Bellhop was interrupted while it sent the message, so it may arrive twice.',
    renderWorse(cardSettings, { ...worse, from: undefined, mayStandTwice: true }),
  ),
  forYou(
    'Only in the thread',
    'Somebody presses Only in the thread below such a message.',
    renderThreadOnly(true),
  ),
  forYou(
    'Only in the thread, of what is not watched',
    'The same, when their watch has ended.',
    renderThreadOnly(false),
  ),
  forAll(
    'No longer watched: out of reach',
    'The card was deleted, or the bot was removed from its channel.',
    renderGone(name, diskFull.ks),
  ),
  forAll(
    'No longer watched: not allowed',
    'A watcher’s token can no longer read the alert.',
    renderNotAllowed(name),
  ),
  forAll(
    'No longer watched: token refused',
    'The service no longer accepts a watcher’s token.',
    renderConnectFirst(connectButton('waiting'), refusedWatchWords(name)),
  ),
]
