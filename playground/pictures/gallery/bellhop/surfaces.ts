// The gallery's other ways to the same jobs: a message's menu, a mention, a posted link.

import { connectButton, renderConnectFirst } from '../../../../src/account/render.ts'
import { renderUnfurl, unfurlReason } from '../../../../src/alert/render/card.ts'
import { renderFormOffer as renderAlertFormOffer } from '../../../../src/alert/render/help.ts'
import { renderNews } from '../../../../src/alert/render/history.ts'
import { choiceModal, keyInput, threadModal } from '../../../../src/alert/render/look-up-form.ts'
import { renderFormOffer as renderGrantFormOffer } from '../../../../src/grant/render/help.ts'
import { renderHelp, youAreWelcome } from '../../../../src/mention/listeners.ts'
import type { Alert } from '../../../../src/monitor/schema.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { belowLink, directly, type Entry, forAll, forYou, modal } from '../stage/entry.ts'
import { action, alertUrl, cardSettings, closed, diskFull } from '../stage/sample.ts'

const keys = ['disk-full', 'web server 503', 'cert-expiry']

export const messageMenu: readonly Entry[] = [
  modal(
    'Which of several alerts',
    'Somebody uses Look up this alert on a message that mentions several.',
    choiceModal('', keys),
  ),
  modal(
    'Which of very many alerts',
    'The same, with more than ten.',
    choiceModal(
      '',
      Array.from({ length: 12 }, (_, index) => `disk-${index + 1}`),
    ),
  ),
  modal(
    'Which of several links',
    'Somebody uses Look up this alert on a message with several links that hold no key.',
    choiceModal('', [
      { asset: '34', timestamp: '1768521660', item: '/var' },
      { asset: '35', timestamp: '1768521720' },
    ]),
  ),
  modal(
    'No alert in the message',
    'Bellhop finds no alert in the message.',
    threadModal('', true, { guess: undefined, isWhole: true }),
    { typed: { [keyInput]: 'disk-full' } },
  ),
  modal(
    'No alert in a very long message',
    'The same, and the message is longer than Bellhop reads.',
    threadModal('', true, { guess: undefined, isWhole: false }),
    { typed: { [keyInput]: 'disk-full' } },
  ),
  modal(
    'A guess in the message',
    'Something in the message may be a key, but Bellhop can’t be sure.',
    threadModal('', true, { guess: 'disk-full', isWhole: true }),
  ),
  forAll(
    'News in another message’s thread',
    'Something happens to an alert whose card is in a message’s thread. The reply says which alert.',
    renderNews(cardSettings, 'card', {
      actions: [action(2, 'Comment', { userId: 7, message: 'Deleting old logs.' })],
      older: 1,
      ending: undefined,
      mayStandTwice: false,
      about: diskFull.lastMessage,
    }),
  ),
]

function unfurl(name: string, when: string, alert: Alert): Entry {
  return belowLink(name, when, alertUrl.replace('{ks}', alert.ks), renderUnfurl(cardSettings, alert))
}

export const postedLinks: readonly Entry[] = [
  unfurl('Below a link to an alert', 'Somebody posts a link to an alert.', diskFull),
  unfurl('Below a link to a closed alert', 'The same, when the alert is closed.', closed),
  unfurl('Below a link, at an odd time', 'The service reports an impossible time.', {
    ...diskFull,
    timestamp: -1,
  }),
  forYou(
    'A link, and no account',
    'Somebody who isn’t connected posts a link to an alert. Bellhop asks them once.',
    renderConnectFirst(connectButton(), unfurlReason),
  ),
]

export const words: readonly Entry[] = [
  forYou('Help for a mention', 'Somebody writes `@Bellhop help`.', renderHelp(false, 'asked', true)),
  directly(
    'Words that Bellhop doesn’t understand',
    'Somebody sends Bellhop something else.',
    renderHelp(true, 'unknown', true),
  ),
  forYou(
    'A mention that Bellhop doesn’t understand',
    'Somebody writes something else after `@Bellhop`. At most once a day in each thread.',
    renderHelp(false, 'unknown', true),
  ),
  directly('A greeting', 'Somebody greets Bellhop in the direct message.', renderHelp(true, 'greeted', true)),
  directly('Thanks', 'Somebody thanks Bellhop in the direct message.', say(youAreWelcome)),
  forYou('A mention without a key', 'Somebody writes `@Bellhop alert`.', renderAlertFormOffer()),
  forYou(
    'A mention without flags',
    'Somebody writes `@Bellhop grant 12 dave@example.com`.',
    renderGrantFormOffer('12 dave@example.com'),
  ),
]
