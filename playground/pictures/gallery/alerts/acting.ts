// The gallery's verdicts on comments and closings: every sentence that follows from one.
import { openAsAnother, openAtOnce, renderNewOwner } from '../../../../src/act/render/to-others.ts'
import { renderActVerdict } from '../../../../src/act/render/verdict.ts'
import type { Ending } from '../../../../src/alert/cards.ts'
import { renderNews } from '../../../../src/alert/render/history.ts'
import type { Alert } from '../../../../src/monitor/schema.ts'
import type { Doubt, NotDoneCode, SendOutcome } from '../../../../src/send/outcome.ts'
import type { AlertWrite, CloseAlert, CommentOnAlert } from '../../../../src/send/writes.ts'
import { type Entry, forAll, forYou } from '../stage/entry.ts'
import { action, asOf, cardSettings, diskFull } from '../stage/sample.ts'

const about = { ks: 'disk-full', shown: undefined, senderId: undefined, cardId: undefined } as const
const comment: CommentOnAlert = { kind: 'comment', ...about, message: 'Old logs, rotating them now.' }
const close: CloseAlert = {
  ...{ kind: 'close', ...about, isSolution: false },
  message: 'Old logs removed, rotation fixed.',
}
const solution: CloseAlert = {
  ...close,
  isSolution: true,
  message: 'Old logs removed, and the rotation that had failed since Monday is fixed.',
}
const sampleId = '7c1d4f7e'
const closed: Alert = { ...diskFull, closedTimestamp: asOf }

function told(
  name: string,
  when: string,
  write: AlertWrite,
  outcome: SendOutcome,
  found: Partial<Parameters<typeof renderActVerdict>[2]> = {},
): Entry {
  const known = {
    ...{ id: sampleId, alert: diskFull, reason: undefined },
    ...{ isLate: false, wasDoubted: false, canAsk: false },
  }
  return forYou(name, when, renderActVerdict(write, outcome, { ...known, ...found }))
}

const done = { kind: 'done', on: 'seen' } as const
const notDone = (code: NotDoneCode) => ({ kind: 'not-done', code }) as const
const unsure = (doubt: Doubt) => ({ kind: 'uncertain', doubt }) as const

export const verdicts: readonly Entry[] = [
  told('Commented', 'Monitoring shows the comment.', comment, done),
  told('Closed', 'Monitoring shows it closed, by you.', close, done, { alert: closed }),
  told('Closed, and opened again', 'The trouble was still there.', close, done),
  told(
    'Closed, and nobody says by whom',
    'Monitoring shows it closed, without a name or a text.',
    { ...close, message: '' },
    { kind: 'done', on: 'unsaid' },
    { alert: closed },
  ),
  told(
    'Closed before you asked',
    'It was closed before you asked.',
    close,
    { kind: 'done', on: 'already' },
    { alert: closed },
  ),
  told(
    'Closed by somebody else meanwhile',
    'Somebody was quicker.',
    close,
    { kind: 'done', on: 'by-another' },
    { alert: closed },
  ),
  told(
    'A comment on a closed alert',
    'It is closed, so Bellhop sends nothing.',
    comment,
    notDone('changed'),
    {
      alert: closed,
    },
  ),
  told(
    'A closing that somebody else’s taking held back',
    'They took it after you had opened the form.',
    close,
    notDone('changed'),
    {
      alert: { ...diskFull, ownerId: 8 },
      assigned: {
        ...{ isForSelf: false, isOwn: false, name: 'Bob Baker', isMuted: false, identity: undefined },
        taking: { isByOwner: true, ago: '2 min ago' },
      },
    },
  ),
  told('A flag is missing', 'Your token can read the alert, and not change it.', close, notDone('forbidden')),
  told('A flag is missing, on a card in a channel', 'Colleagues can be asked.', close, notDone('forbidden'), {
    canAsk: true,
  }),
  told('Two flags may be missing', 'Your token can’t read the alert either.', close, notDone('forbidden'), {
    alert: undefined,
  }),
  told('A solution that is too short', 'The container asks for more.', solution, notDone('bad-request')),
  told('A text that monitoring refuses', 'It says why.', comment, notDone('bad-request'), {
    reason: 'message too long',
  }),
  told('No such alert to comment on', 'The key is wrong.', comment, notDone('not-found'), {
    alert: undefined,
  }),
  told('Too many changes', 'Monitoring answers 429.', comment, notDone('busy')),
  told('Monitoring can’t be reached', 'Nothing was sent.', comment, notDone('unreachable'), {
    alert: undefined,
  }),
  told('An answer nobody understands', 'Nothing was sent.', comment, notDone('malformed'), {
    alert: undefined,
  }),
  told('A service that takes no comments', 'It answers 405.', comment, notDone('no-operation')),
  told('Not visible yet', 'Monitoring took it and doesn’t show it.', comment, unsure('not-seen')),
  told('Still not visible', 'Two minutes later, by direct message.', comment, unsure('not-seen'), {
    ...{ isLate: true, wasDoubted: true },
  }),
  told('Nobody can tell', 'Your token lacks READ.', comment, unsure('not-readable'), { alert: undefined }),
  told('A comment that may be there', 'The connection broke.', comment, unsure('connection-lost')),
  told(
    'A comment that nobody can look for',
    'The connection broke, and your token lacks READ.',
    comment,
    unsure('connection-lost'),
    {
      alert: undefined,
    },
  ),
  told('A closing that may be done', 'Monitoring didn’t answer in time.', close, unsure('timed-out')),
  told('Still not certain', 'Two minutes later, by direct message.', close, unsure('timed-out'), {
    ...{ isLate: true, wasDoubted: true },
  }),
  told('Seen later', 'By direct message, after a doubt.', comment, done, { isLate: true, wasDoubted: true }),
  told(
    'Stopped before anything was sent',
    'Bellhop was restarted.',
    comment,
    { kind: 'not-sent' },
    { isLate: true },
  ),
]

const cardLink = 'https://example.slack.com/archives/C012AB3CD/p1700000000000100'
const inMonitoring = 'https://monitoring.example.com/alert/disk-full-2'
const closing = action(1, 'Close', { userId: 7, message: 'Old logs removed, rotation fixed.' })

function said(name: string, when: string, ending: Ending, actions = [closing]): Entry {
  return forAll(
    name,
    when,
    renderNews(cardSettings, 'card', { actions, older: 3, ending, mayStandTwice: false }),
  )
}

export const afterwards: readonly Entry[] = [
  said('Closed, and open again at once', 'The trouble is still there.', openAtOnce('act')),
  said(
    'Open again under another key',
    'Within 15 minutes, another alert says the same and belongs to whoever closed this one.',
    openAsAnother('disk-full-2', inMonitoring),
    [],
  ),
  said(
    'Open again under another key, without a link',
    'Nobody knows where it is in monitoring.',
    openAsAnother('disk full 2', undefined),
    [],
  ),
  forYou(
    'An alert is yours',
    'To the new owner, by direct message.',
    renderNewOwner('Alice Archer', cardLink),
  ),
  forYou(
    'An alert is yours, and has no card',
    'Slack doesn’t say who assigned it, or you can’t see the card.',
    renderNewOwner(undefined, undefined),
  ),
]
