// The gallery's other ways to the same jobs: a message's menu, a mention, a posted link, a quiet channel.

import { connectButton, renderConnectFirst } from '../../../../src/account/render.ts'
import { parseAlertLine } from '../../../../src/alert/input.ts'
import { renderInOneMessage, renderUnfurl, unfurlReason } from '../../../../src/alert/render/card.ts'
import {
  renderFormOffer as renderAlertFormOffer,
  renderStyle,
  renderStyleSet,
} from '../../../../src/alert/render/help.ts'
import { renderNews } from '../../../../src/alert/render/history.ts'
import { choiceModal, keyInput, threadModal } from '../../../../src/alert/render/look-up-form.ts'
import { renderFormOffer as renderGrantFormOffer } from '../../../../src/grant/render/help.ts'
import { renderHelp, youAreWelcome } from '../../../../src/mention/listeners.ts'
import type { Alert } from '../../../../src/monitor/schema.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { belowLink, directly, type Entry, flow, forAll, forYou, modal } from '../stage/entry.ts'
import { action, alertUrl, asOf, cardSettings, closed, diskFull, view } from '../stage/sample.ts'

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

function problem(line: string): string {
  const ask = parseAlertLine(line, alertUrl)
  if (ask.kind !== 'problem') throw new TypeError(`not a problem: ${ask.kind}`)
  return ask.problem
}

export const styles: readonly Entry[] = [
  forAll('Set to quiet', 'Somebody types `/alert style quiet`.', renderStyleSet('Alice Archer', 'quiet')),
  forAll('Set to thread', 'Somebody types `/alert style thread`.', renderStyleSet('Alice Archer', 'thread')),
  forYou('How a channel is set', 'Somebody types `/alert style`.', renderStyle(undefined)),
  forYou(
    'How a channel is set, and by whom',
    'The same, after somebody has set the style.',
    renderStyle({ style: 'quiet', setBy: 'Alice Archer', setAt: asOf * 1000 }),
  ),
  forYou(
    'A card in a quiet channel',
    'Somebody asks for an alert in a channel that is set to quiet.',
    renderInOneMessage(cardSettings, { ...view(diskFull), isPrivate: true }, 'quiet'),
  ),
  forYou('Another style', 'Somebody types `/alert style loud`.', say(problem('style loud'))),
  forYou(
    'A word after the style',
    'Somebody types `/alert style quiet please`.',
    say(problem('style quiet please')),
  ),
  flow(
    'Set so already',
    'Somebody types `/alert style thread` where that’s already the style.',
    async ({ alice, onCall }) => {
      await alice.types('/alert style thread', onCall)
      return alice.sees('already', onCall)
    },
  ),
  flow(
    'Nobody could be told of a style',
    'Somebody sets a style, but Bellhop can’t post in that channel.',
    async ({ slack, alice, onCall }) => {
      slack.trouble.fail('chat.postMessage', { error: 'not_in_channel' })
      slack.trouble.fail('response_url', { error: 'not_in_channel' })
      await alice.types('/alert style quiet', onCall)
      return alice.sees('can’t post in this channel', onCall)
    },
  ),
  flow(
    'No channel to set',
    'Somebody types `/alert style quiet` in the direct message.',
    async ({ alice }) => {
      await alice.types('/alert style quiet', alice.dm)
      return alice.sees('Only channels have a style', alice.dm)
    },
  ),
  flow(
    'Nothing is shared in a quiet channel',
    'Somebody presses Share in channel on a card from before the channel was set to quiet.',
    async ({ service, alice, onCall }) => {
      service.addAlert(diskFull)
      await alice.types('/alert disk-full private', onCall)
      const card = await alice.sees('CRITICAL', onCall)
      await alice.types('/alert style quiet', onCall)
      await alice.sees('made Bellhop quiet', onCall)
      await alice.presses('Share in channel', card)
      return alice.sees('now quiet, so this card can’t be shared', onCall)
    },
  ),
  flow('No receipt is shared in a quiet channel', 'The same, on a receipt.', async ({ alice, onCall }) => {
    await alice.types('/grant 12 dave@example.com viewer', onCall)
    const receipt = await alice.sees('Granted', onCall)
    await alice.types('/alert style quiet', onCall)
    await alice.sees('made Bellhop quiet', onCall)
    await alice.presses('Share in channel', receipt)
    return alice.sees('this receipt can’t be shared there', onCall)
  }),
]
