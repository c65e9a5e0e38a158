// The gallery's rest: accounts, Home, help, errors, doctor, the audit channel.
import {
  connectAnytime,
  connectButton,
  connectedModal,
  connectLinkModal,
  connectModal,
  connectReason,
  renderConnectFirst,
} from '../../../src/account/render.ts'
import { renderLine } from '../../../src/audit/render-line.ts'
import { renderExamined } from '../../../src/doctor/render.ts'
import {
  accountBlocks,
  alertBlocks,
  liveBlocks,
  ownRequestBlocks,
  renderHome,
  waitingBlocks,
} from '../../../src/home/render.ts'
import { renderHelp } from '../../../src/mention/listeners.ts'
import { failureSentence } from '../../../src/slack/guard/failures.ts'
import { tooFastSentence } from '../../../src/slack/guard/limit.ts'
import { say } from '../../../src/slack/outbound/message.ts'
import { topics } from '../../../src/slack/topics.ts'
import { type Entry, forAll, forYou, homeTab, modal } from './entry.ts'
import { asOf, cardSettings, dave, diskFull, onCallId, wishFor } from './sample.ts'

/** As it is where `PUBLIC_URL` is set. */
const pageButton = connectButton({ url: 'https://bellhop.example.com/connect/once', value: 'once' })

export const account: readonly Entry[] = [
  forYou(
    'No account',
    'Somebody without an account asks for an alert.',
    renderConnectFirst(connectButton('waiting'), connectReason('none', topics.alert)),
  ),
  forYou(
    'Token refused',
    'Monitoring no longer accepts the asker’s token.',
    renderConnectFirst(connectButton('waiting'), connectReason('refused', topics.alert)),
  ),
  modal('Connect account', 'Somebody types `/alert connect`.', connectModal('')),
  modal(
    'Connect account, in the browser',
    'The same where `PUBLIC_URL` is set.',
    connectLinkModal(pageButton, connectAnytime),
  ),
  modal(
    'Connected',
    'Monitoring accepted the token, and Bellhop finishes what they had asked for.',
    connectedModal('accepted', 'goes-on'),
  ),
]

const hour = 60 * 60_000
const now = asOf * 1000
const link = 'https://example.slack.com/archives/C0ONCALL/p1768520530000000'
const request = (words: string) => ({ askerName: 'Bob Baker', words, link, until: now + 20 * hour })
const empty = {
  ...{ account: accountBlocks(undefined), who: [], waiting: [], requests: [], live: [], alerts: [] },
  ...{ grants: [], takesLinks: true, asOf },
}

export const home: readonly Entry[] = [
  homeTab('Home, not connected', 'Somebody without an account opens the Home tab.', renderHome(empty)),
  homeTab(
    'Home',
    'Somebody who uses Bellhop opens it.',
    renderHome({
      ...empty,
      account: accountBlocks(now - 50 * hour),
      waiting: waitingBlocks([request('Responder on container 12 for grace@example.com')]),
      requests: ownRequestBlocks([request('Responder on container 34 for erin@example.com')]),
      live: liveBlocks(cardSettings, [
        {
          ...{ cardId: 'disk', ks: diskFull.ks, channelId: onCallId, until: now + 20 * hour, link },
          shown: { alert: diskFull, asOf, look: '' },
        },
      ]),
      alerts: alertBlocks([
        {
          ...{ at: now - hour, ks: diskFull.ks, title: diskFull.lastMessage, posted: undefined, link },
          webLink: undefined,
        },
      ]),
    }),
  ),
]

const reference = '5f0c2a9e'

export const elsewhere: readonly Entry[] = [
  forYou('Help for a mention', 'Somebody writes `@Bellhop help`.', renderHelp(false, 'asked', true)),
  forYou(
    'Too fast',
    'Somebody makes more requests in a minute than `RATE_PER_MINUTE` allows.',
    say(tooFastSentence(topics.alert.nothing, { seconds: 2, perMinute: 30, isToBeTold: true })),
  ),
  forYou(
    'Slack refuses',
    'Slack refuses Bellhop’s message.',
    say(failureSentence('alert', { word: undefined }, reference)),
  ),
  forYou(
    'A defect',
    'Something fails in Bellhop itself. Its log has the reference, too.',
    say(failureSentence('grant', undefined, reference)),
  ),
  forYou(
    'Doctor',
    'Somebody types `/alert doctor`, and monitoring is down.',
    renderExamined(
      [
        {
          name: 'Monitoring service',
          state: 'red',
          found: 'Bellhop can’t reach it (ECONNREFUSED).',
          mend: 'Nothing is listening there. Start the service, or correct the host and port in MONITOR_API_URL.',
        },
        { name: 'Slack token', state: 'green', found: 'Slack accepts it.' },
      ],
      asOf,
    ),
  ),
  forAll(
    'A line in the audit channel',
    'Somebody gave a person access, with a colleague’s approval.',
    renderLine(
      {
        ...{ workspaceId: 'T1', key: '', act: 'grant', outcome: 'done', approverId: 'U2' },
        ...{ containerId: 12, permissions: wishFor().permissions, email: dave },
      },
      { who: 'Alice Archer', asker: 'Alice Archer', approver: 'Bob Baker' },
    ),
  ),
]
