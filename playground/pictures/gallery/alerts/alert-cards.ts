// The gallery's cards: an alert in every state, wherever it can stand.
import { renderCard, renderInOneMessage } from '../../../../src/alert/render/card.ts'
import type { Alert } from '../../../../src/monitor/schema.ts'
import { noNames } from '../../../../src/names/names.ts'
import { asLine, type Entry, flow, forAll, forYou, onPhone } from '../stage/entry.ts'
import { action, asOf, cardSettings, closed, diskFull, longStory, singleHit, view } from '../stage/sample.ts'

function card(name: string, when: string, alert: Alert): Entry {
  return forAll(name, when, renderCard(cardSettings, view(alert)))
}

function hit(message: string, severity = 3): Alert {
  return singleHit({ message, severity })
}

const hostile: Alert = {
  ...hit('<!channel> <@U012345> <https://evil.example|Click> &amp; *bold* `code` :tada:', 1),
  ks: 'a/b?c=<d>&e%2F#f',
  lastMessage: '> quoted\n\n*two* <!here>\n```\nunfinished',
  lastTimestamp: asOf - 60,
}

const hostileNames = {
  people: { 7: '*Alice* <!channel> `code` :tada:' },
  container: { id: 12, name: '\u202eCustomer\n1 <https://evil.example|Click>' },
}

export const states: readonly Entry[] = [
  card('An open alert', 'Somebody asks for an unassigned alert that was seen once.', singleHit()),
  card(
    'An alert that got worse',
    'The alert was seen again, with a higher severity or another message.',
    diskFull,
  ),
  forAll(
    'A card without names',
    'The asker’s token doesn’t show who is who, or hasn’t yet. The same in channels that are shared with another organisation.',
    renderCard(cardSettings, view(diskFull, { names: noNames })),
  ),
  asLine(
    forAll(
      'A closed alert without names',
      'The asker’s token doesn’t show who closed it.',
      renderCard(cardSettings, view(closed, { names: noNames })),
    ),
  ),
  forAll(
    'Names full of markup',
    'Whatever people and containers are called stays plain text, and on one line.',
    renderCard(cardSettings, view(diskFull, { names: hostileNames })),
  ),
  card('A warning', 'The alert is a WARNING.', hit('Certificate expires in 6 days', 4)),
  card('A notice', 'The alert is less severe than a WARNING.', hit('Backup took 41 minutes', 5)),
  card(
    'A closed alert',
    'Somebody closed the alert. The card says when, after how long, and with what comment.',
    closed,
  ),
  card('A long message', 'The headline is the first line, or as much of it as fits; the rest follows.', {
    ...hit('All work and no play makes a dull server. '.repeat(90).trim()),
  }),
  card(
    'A message full of markup',
    'Whatever an alert says stays plain text: it notifies nobody and makes no links.',
    hostile,
  ),
  card(
    'A message in other scripts',
    'The message isn’t in Latin letters.',
    hit('הדיסק בשרת db-03 מלא · Диск заполнен · Ο δίσκος γέμισε 👩‍🚒'),
  ),
  card(
    'Odd values',
    'The message is empty, and the severity and times are ones that the service doesn’t document.',
    {
      ...hit('', 9),
      timestamp: 0,
      lastTimestamp: asOf,
      ownerId: 31,
    },
  ),
  asLine(
    card('No message at first', 'The alert had no message when it opened.', { ...diskFull, message: '' }),
  ),
  forAll(
    'A card without a web link',
    'MONITOR_ALERT_URL isn’t set.',
    renderCard({ ...cardSettings, alertUrl: undefined }, view(singleHit())),
  ),
  forAll(
    'A card that somebody else refreshed',
    'Somebody other than the person who asked pressed Refresh.',
    renderCard(cardSettings, view(diskFull, { refresherName: 'bob' })),
  ),
]

export const places: readonly Entry[] = [
  forYou(
    'A private card',
    'Somebody in a channel asks with “private”: card and history come as one message that only they can see.',
    renderInOneMessage(cardSettings, view(diskFull, { isPrivate: true }), undefined),
  ),
  forAll(
    'A card in a direct message',
    'Somebody asks in a direct message with another person, where the bot can’t be.',
    renderInOneMessage(cardSettings, view({ ...diskFull, actions: longStory }), undefined),
  ),
  forAll(
    'A card where the bot is not a member',
    'Somebody asks in a private channel that the bot wasn’t invited to.',
    renderInOneMessage(cardSettings, view(singleHit()), 'invite'),
  ),
  forYou(
    'A card that could not be posted in the channel',
    'Slack doesn’t let the bot post in the channel, or reply to the command there.',
    renderInOneMessage(cardSettings, view(closed, { isPrivate: true }), 'only-you'),
  ),
  forAll(
    'A card with a long message and many actions in one message',
    'There is no thread, so the history in the card is kept shorter.',
    renderInOneMessage(
      cardSettings,
      view({
        ...hit('Queue is growing. '.repeat(20).trim()),
        actions: [...longStory, action(1, 'Comment', { userId: 7, message: 'Scaling out now. '.repeat(40) })],
      }),
      undefined,
    ),
  ),
  onPhone(
    forAll(
      'A card on a phone',
      'A card with its history, 390 pixels wide.',
      renderInOneMessage(cardSettings, view(diskFull), undefined),
    ),
  ),
  flow(
    'A card whose link Slack refuses',
    'Slack refuses the card, but accepts it without the link to monitoring.',
    async ({ slack, service, alice, onCall }) => {
      service.addAlert({ ...diskFull, actions: [] })
      slack.trouble.fail('chat.postMessage', { error: 'invalid_blocks' })
      await alice.types('/alert disk-full', onCall)
      return alice.sees('is 96 % full', onCall)
    },
  ),
  flow(
    'A card whose blocks Slack refuses',
    'Slack refuses the card without its link too, so Bellhop posts only a sentence.',
    async ({ slack, service, alice, onCall }) => {
      service.addAlert({ ...diskFull, actions: [] })
      slack.trouble.fail('chat.postMessage', { error: 'invalid_blocks' }, { times: 2 })
      await alice.types('/alert disk-full', onCall)
      return alice.sees('CRITICAL, was WARNING: ', onCall)
    },
  ),
]
