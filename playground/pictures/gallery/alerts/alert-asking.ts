// The gallery's ways of asking for an alert: help, the form, and what can be wrong with a key.

import { connectButton, renderConnectFirst } from '../../../../src/account/render.ts'
import { onlyReads } from '../../../../src/alert/command.ts'
import { parseAlertLine, parseKey, wordsNear } from '../../../../src/alert/input.ts'
import { renderHelp } from '../../../../src/alert/render/help.ts'
import {
  checkingKeyModal,
  keyCheckedModal,
  keyInput,
  lookupModal,
  noWayThere,
  postToInput,
} from '../../../../src/alert/render/look-up-form.ts'
import {
  monitorSentence,
  noAlertInForm,
  noAlertMatches,
  noLinksThere,
  renderLinkChoice,
  renderMistyped,
  renderNoAlert,
  renderNothingNew,
  renderStillAsking,
  renderTryAgain,
  tokenSentence,
  tryAgainSentence,
} from '../../../../src/alert/render/no-card.ts'
import { ownToken } from '../../../../src/alert/show.ts'
import { say, withTextBack } from '../../../../src/slack/outbound/message.ts'
import { directly, type Entry, forYou, modal } from '../stage/entry.ts'
import { alertUrl, asOf, cardSettings, diskFull } from '../stage/sample.ts'

const twins = [
  diskFull,
  { ...diskFull, ks: 'disk-slow', lastMessage: 'Disk /var on db-03 is slow', lastSeverity: 4 },
  { ...diskFull, ks: 'silent', lastMessage: '', lastSeverity: 6 },
]

function problemOf(ask: ReturnType<typeof parseAlertLine>): string {
  if (ask.kind !== 'problem') throw new TypeError(`not a problem: ${ask.kind}`)
  return ask.problem
}

/** @param typed - Behind `/alert`, as Slack sends it. */
function wrong(name: string, typed: string, takesLinks = true): Entry {
  const where = takesLinks ? '' : ', and MONITOR_ALERT_URL isn’t set'
  const ask = parseAlertLine(typed, takesLinks ? alertUrl : undefined)
  const problem = problemOf(ask)
  const { meant = undefined, said = '' } = ask.kind === 'problem' ? ask : {}
  const answer = meant === undefined ? say(problem) : renderMistyped(problem, meant)
  return forYou(name, `Somebody types \`/alert ${typed}\`${where}.`, withTextBack(answer, said))
}

function mistyped(name: string, when: string, typed: string): Entry {
  const problem = problemOf(parseKey(typed, alertUrl))
  return modal(name, when, lookupModal(true), {
    typed: { [keyInput]: typed },
    errors: { [keyInput]: problem },
  })
}

const diskFullAsk = { kind: 'look-up', ks: 'disk-full', isPrivate: false, isWatched: false } as const

export const asking: readonly Entry[] = [
  forYou('Help for /alert', 'Somebody types `/alert help`.', renderHelp(alertUrl, true)),
  forYou(
    'Help for /alert, without links and changes',
    'The same, if MONITOR_ALERT_URL isn’t set and MONITOR_OPERATIONS is basic.',
    renderHelp(undefined, false),
  ),
  modal(
    'Look up an alert',
    'Somebody types only `/alert`. If MONITOR_ALERT_URL isn’t set, the hint mentions only the key.',
    lookupModal(true),
  ),
  modal(
    'Look up an alert, again',
    'Somebody presses *Look up again* on the Home tab, which isn’t a conversation to post in.',
    lookupModal(true, { typed: 'disk-full' }),
  ),
  modal(
    'Look up an alert, checking',
    'The service is slow to answer. The form shows this until it does.',
    checkingKeyModal(),
  ),
  modal(
    'Look up an alert, found',
    'The service answers late. (After a quick look-up, the form just closes.)',
    keyCheckedModal('found'),
  ),
  modal(
    'Look up an alert, not connected any more',
    'The service answers late, and no longer accepts the token.',
    keyCheckedModal('connect'),
  ),
  modal(
    'Look up an alert, no such alert',
    'No alert has the key in the form, but the person has looked up one with a similar key.',
    lookupModal(true),
    {
      typed: { [keyInput]: 'disk-fulll' },
      errors: { [keyInput]: noAlertInForm('disk-fulll', 'not-found', [diskFullAsk]) },
    },
  ),
  modal(
    'Look up an alert, no such alert, after a while',
    'The same, but the service answered late. The form is back, with what was typed.',
    lookupModal(true, {
      problem: noAlertInForm('5HkY', 'not-found', []),
      typed: '5HkY',
      channelId: undefined,
      isWatched: true,
    }),
  ),
  modal(
    'Look up an alert, no answer',
    'The service doesn’t answer. The form stays open, so that they can submit it again.',
    lookupModal(true),
    { typed: { [keyInput]: 'disk-full' }, errors: { [keyInput]: monitorSentence('unreachable') } },
  ),
  mistyped(
    'Look up an alert, a token',
    'The text in the form looks like an API token.',
    '5f0c2a9e71b34d685f0c2a9e71b34d68',
  ),
  mistyped('Look up an alert, nothing typed', 'The key field holds only spaces.', ' '),
  mistyped('Look up an alert, not a key', 'The text in the form can’t be a key.', '..'),
  modal(
    'Look up an alert, no way to post there',
    'Somebody chose a direct message, and Slack gave Bellhop no way to post there.',
    lookupModal(true),
    { typed: { [keyInput]: '5HkX', [postToInput]: '@dave' }, errors: { [postToInput]: noWayThere } },
  ),
]

/** In place of an alert: what may have been meant, another try, and signs of life. */
export const unfound: readonly Entry[] = [
  forYou(
    'No such alert',
    'No alert has this key, and the person has looked up none with a similar one.',
    renderNoAlert('disk-fulll', 'not-found', []),
  ),
  forYou(
    'No such alert, nearly right',
    'No alert has this key, but the person has looked up one with a similar key.',
    renderNoAlert('disk-fulll', 'not-found', [diskFullAsk]),
  ),
  forYou(
    'A mistyped word of /alert',
    'Somebody types `/alert watchs`.',
    renderNoAlert('watchs', 'not-found', wordsNear('watchs', true)),
  ),
  forYou(
    'No key at all',
    'The service doesn’t accept what somebody typed as a key (400).',
    renderNoAlert('disk/full', 'bad-request', []),
  ),
  forYou(
    'No answer',
    'The service doesn’t answer in time, or can’t be reached.',
    renderTryAgain(tryAgainSentence('unreachable'), diskFullAsk),
  ),
  forYou(
    'No answer: busy',
    'The service asks Bellhop to slow down (429) or has a fault (5xx), even after a retry.',
    renderTryAgain(tryAgainSentence('busy'), diskFullAsk),
  ),
  forYou(
    'Still asking',
    'The service hasn’t answered for a second and a half. Sent once per look-up.',
    renderStillAsking('disk-full', 'here'),
  ),
  forYou(
    'Still asking, for a direct message',
    'The same, when the card will come as a direct message.',
    renderStillAsking('disk-full', 'directly'),
  ),
  forYou(
    'Still asking, for a card',
    'Somebody pressed Refresh, and the service hasn’t answered for a second and a half.',
    renderStillAsking('disk-full', 'on-card'),
  ),
  forYou(
    'Nothing new',
    'Somebody presses Refresh, and nothing has changed since the card’s last update.',
    renderNothingNew(asOf - 20 * 60, asOf),
  ),
]

/** Of whoever types a token where a key belongs. */
function token(name: string, when: string, where: Parameters<typeof tokenSentence>[0]): Entry {
  const show = where === 'direct' ? directly : forYou
  return show(name, when, renderConnectFirst(connectButton(), tokenSentence(where)))
}

export const tokens: readonly Entry[] = [
  token('A token on the line', 'Somebody types a token after `/alert`.', 'command'),
  token('A token in the direct message', 'Somebody sends Bellhop a token.', 'direct'),
  token('A token in a channel', 'Somebody writes `@Bellhop` and a token.', 'channel'),
]

/** Of links that hold no key. */
export const links: readonly Entry[] = [
  forYou(
    'Several alerts behind a link',
    'Somebody types `/alert` and a link without a key, and several alerts match it.',
    renderLinkChoice(cardSettings, twins, { isPrivate: false, isWatched: false }),
  ),
  forYou(
    'Very many alerts behind a link',
    'The same, with more than ten.',
    renderLinkChoice(cardSettings, Array.from({ length: 4 }, () => twins).flat(), {
      isPrivate: false,
      isWatched: false,
    }),
  ),
  forYou('A link to no open alert', 'The alert behind a pasted link is no longer open.', say(noAlertMatches)),
  forYou(
    'A link that can’t be looked up',
    'The service recently said that it can’t list an asset’s alerts.',
    say(noLinksThere),
  ),
]

export const wrongKeys: readonly Entry[] = [
  wrong('Not a key', '..'),
  wrong('An assignment without its alert', 'assign'),
  wrong('An assignment to nobody', 'assign disk-full'),
  wrong('An assignment to a name', 'assign disk-full dave'),
  wrong('A comment without its alert', 'comment'),
  wrong('A comment without its text', 'comment disk-full'),
  wrong('Closing without an alert', 'close'),
  wrong('A word that is nearly comment', 'coment disk-full "Old logs, rotating them now."'),
  wrong('The same with what may be a token', 'coment disk-full "key Zx9Zx9Zx9Zx9Zx9Zx9Zx9"'),
  wrong('A solution without quotes', 'close disk-full Old logs removed. solution'),
  forYou(
    'Changing alerts where Bellhop only reads them',
    'Somebody types `/alert close disk-full`, and MONITOR_OPERATIONS is basic.',
    say(onlyReads),
  ),
  wrong('A word that is nearly “private”', 'disk-full privat'),
  wrong('An option', 'disk-full --watch'),
  wrong('A word that is nearly “watch”, or a key with spaces', 'boxing match'),
  wrong('No key', 'private'),
  wrong('A key with spaces', 'web server 503 private'),
  wrong('A mistyped word, or a key with spaces', 'connct 5f0c2a9e71b34d68'),
  forYou(
    'A key that holds more than can be seen',
    'Somebody pastes a key with a zero-width space in it.',
    say(problemOf(parseAlertLine('5Hk\u200bX', alertUrl))),
  ),
  forYou(
    'A token for a key',
    'Somebody presses a button about an alert whose key is their own API token.',
    say(ownToken),
  ),
  wrong('Words after the key', '"web server 503" soon'),
  wrong('Words after “watches”', 'watches soon'),
  wrong('A link, where links are not set up', 'https://monitoring.example.com/alert/5HkX', false),
  wrong('A link that leads elsewhere', 'https://monitoring.example.com/dashboard'),
  wrong('A broken link', 'https://monitoring.example.com/alert/5%Hk'),
  wrong('A word for connecting', 'login'),
  wrong('A word after “connect”', 'connect my-secret-word'),
]
