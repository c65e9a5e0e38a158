// The gallery's histories: in the thread, and page by page in the modal.

import {
  failedHistoryModal,
  historyModal,
  loadingHistoryModal,
  renderHistory,
  renderNews,
} from '../../../../src/alert/render/history.ts'
import { monitorSentence } from '../../../../src/alert/render/no-card.ts'
import type { Action } from '../../../../src/monitor/schema.ts'
import { noNames } from '../../../../src/names/names.ts'
import { type Entry, flow, forAll, modal } from '../stage/entry.ts'
import { action, cardSettings, closed, diskActions, diskFull, longStory, names } from '../stage/sample.ts'
import { aliceToken, bobToken, modalSaying } from '../stage/stage.ts'

function history(name: string, when: string, actions: readonly Action[], known = names): Entry {
  return forAll(name, when, renderHistory('card', actions, known))
}

/** Every kind of action, and what it can hold. */
const everyKind: readonly Action[] = [
  action(60, 'Assign', { userId: 7, ownerId: 7, message: 'I take this one.' }),
  action(58, 'Assign', { userId: 7, ownerId: 9 }),
  action(56, 'Assign', { userId: 9, ownerId: null }),
  action(54, 'Assign', { ownerId: 7 }),
  action(50, 'Comment', { userId: 7, message: 'Old logs, rotating them now.', visibility: 'team' }),
  action(45, 'IntegrationCall', { integration: 'ticket', reference: 'OPS-1290' }),
  action(40, 'Escalate', { to: { team: 'network', people: [7, 9] }, tries: [{ by: 'sms', ok: false }] }),
  action(35, '', null),
  action(30, 'Comment', { userId: 7, message: '<!everyone> *bold* `code` :tada: @here' }),
]

export const thread: readonly Entry[] = [
  history('A history', 'The first reply in a card’s thread.', diskActions),
  history('Every kind of action', 'Bellhop shows undocumented kinds and data as they are.', everyKind),
  history(
    'A history without names',
    'The asker’s token shows nobody’s name, or hasn’t shown them yet.',
    [...everyKind.slice(0, 5), ...closed.actions.slice(-1)],
    noNames,
  ),
  history('Closed by somebody', 'Somebody closed the alert.', closed.actions),
  history('Closed automatically', 'The alert closed by itself.', [
    ...diskActions,
    action(5, 'AutoClose', { reason: 'no hit for 30 minutes' }),
  ]),
  history('Closed along with another', 'The alert was closed with another one.', [
    ...diskActions,
    action(5, 'IndirectClose', { alertKs: 'db-03-down' }),
  ]),
  history('A long history', 'There are more actions than fit, so only the newest are shown.', longStory),
  history('A history with a long comment', 'A long comment is shortened.', [
    ...diskActions,
    action(2, 'Comment', { userId: 9, message: 'Traced it to the retry loop of the importer. '.repeat(40) }),
  ]),
  forAll(
    'News',
    'Somebody presses Refresh, or the card is live, and there are new actions. They come as another reply.',
    renderNews(cardSettings, 'card', {
      actions: [action(1, 'Comment', { userId: 7, message: 'Rotated, 41 % now.' })],
      older: 3,
      names,
      ending: undefined,
      mayStandTwice: false,
    }),
  ),
  history('No history yet', 'Nobody has done anything about the alert.', []),
]

export const pages: readonly Entry[] = [
  modal(
    'History, page by page',
    'A page from the middle of the history.',
    historyModal('card', { ...diskFull, actions: longStory }, 23, names),
  ),
  modal(
    'History, the newest',
    'The last page of the history.',
    historyModal('card', { ...diskFull, actions: longStory }, 43, names),
  ),
  modal('History, loading', 'Somebody presses Show earlier.', loadingHistoryModal()),
  modal(
    'History, nothing there any more',
    'The service no longer has any actions for this alert.',
    historyModal('card', { ...diskFull, actions: [] }, 0, names),
  ),
  modal(
    'History, the service does not give it',
    'Bellhop couldn’t read the alert. Each reason has its own sentence, see “In monitoring”.',
    failedHistoryModal(monitorSentence('unreachable')),
  ),
  flow(
    'History, the token is refused',
    'The service no longer accepts the token of the person who pressed Show earlier.',
    async (stage) => {
      const { service, clock, alice, onCall } = stage
      service.addAlert({ ...diskFull, actions: longStory })
      await alice.types('/alert disk-full', onCall)
      const card = await alice.sees('CRITICAL', onCall)
      const reply = await alice.sees('History', card)
      clock.advance(60_000)
      service.revoke(aliceToken)
      await alice.presses('Show earlier', reply)
      return modalSaying('no longer accepts', alice, stage)
    },
  ),
  flow(
    'History, to be pressed again',
    'Somebody connected to see the history, and closed the form in the meantime.',
    async ({ service, alice, bob, onCall }) => {
      service.addAlert({ ...diskFull, actions: longStory })
      await alice.types('/alert disk-full', onCall)
      const card = await bob.sees('CRITICAL', onCall)
      await bob.presses('Show earlier', await bob.sees('History', card))
      await bob.presses('Connect account', await bob.sees('I need your monitoring account', card))
      await bob.seesModal('Connect account')
      service.trouble.slow(300)
      await bob.submits({ fields: { 'API token': bobToken } })
      await bob.closes()
      return bob.sees('Press Show earlier again', card)
    },
  ),
]
