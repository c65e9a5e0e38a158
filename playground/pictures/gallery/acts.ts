// The gallery's acts on alerts: forms, what became of them, and what follows.

import { lengthProblem } from '../../../src/act/acts.ts'
import { assignModal } from '../../../src/act/assign/modal.ts'
import type { AssignFacts } from '../../../src/act/render/assign-words.ts'
import { closeModal, commentModal } from '../../../src/act/render/forms.ts'
import { renderNewOwner } from '../../../src/act/render/to-others.ts'
import { renderActVerdict } from '../../../src/act/render/verdict.ts'
import type { ContainerPerson } from '../../../src/monitor/client.ts'
import type { SendOutcome } from '../../../src/send/outcome.ts'
import type { AlertWrite } from '../../../src/send/writes.ts'
import { renderTextBack } from '../../../src/slack/outbound/message.ts'
import { type Entry, forAll, forYou, modal } from './entry.ts'
import { diskFull } from './sample.ts'

const headline = 'Disk /var on db-03 is 96 % full'
const long = 'Old logs, rotating them now. '.repeat(9).trim()
const tooLong = lengthProblem({ kind: 'comment', message: long }) ?? ''

const people = ['Alice Archer', 'Bob Baker', 'Dave Doe'].map(
  (name, at): ContainerPerson => ({
    ...{ id: at + 7, name, email: undefined, authProvider: undefined, inherit: false, member: true },
    ...{ mute: false, permissions: [] },
  }),
)

function assigning(purpose: 'me' | 'somebody') {
  const asking = { kind: 'ask-person', containerId: 12, people } as const
  return assignModal({ purpose, state: '', headline, message: '' }, asking)
}

export const forms: readonly Entry[] = [
  modal(
    'Comment',
    'Somebody presses _Comment_ on a card.',
    commentModal({ state: '', headline, message: '', takesLinks: false }),
  ),
  modal(
    'Close alert',
    'Somebody presses _Close alert_ on a card.',
    closeModal({ state: '', headline, message: '', isSolution: false }),
  ),
  modal('Assign', 'Somebody chooses _Assign to somebody_ on a card.', assigning('somebody')),
  modal('Who you are', '_Assign to me_, where no address tells who they are.', assigning('me')),
]

const about = { ks: 'disk-full', shown: undefined, senderId: undefined, cardId: undefined } as const
const comment = { kind: 'comment', ...about, message: 'Old logs, rotating them now.' } as const
const close = {
  ...about,
  kind: 'close',
  isSolution: false,
  message: 'Old logs removed, rotation fixed.',
} as const
const assign = { kind: 'assign', ...about, message: '', ownerId: 7 } as const
const toYou: AssignFacts = {
  ...{ isForSelf: true, isOwn: true, name: undefined, isMuted: false },
  taking: undefined,
}

function told(
  name: string,
  when: string,
  write: AlertWrite,
  outcome: SendOutcome,
  found: Partial<Parameters<typeof renderActVerdict>[2]> = {},
): Entry {
  const known = {
    ...{ id: '7c1d4f7e', alert: diskFull, reason: undefined },
    ...{ isLate: false, canAsk: false },
  }
  return forYou(name, when, renderActVerdict(write, outcome, { ...known, ...found }))
}

const done = { kind: 'done', on: 'seen' } as const

export const verdicts: readonly Entry[] = [
  told('Commented', 'Monitoring shows the comment.', comment, done),
  told('Assigned to you', 'Monitoring shows it.', assign, done, { assigned: toYou }),
  told(
    'Somebody was quicker',
    'Bob took it before you pressed _Assign to me_.',
    assign,
    { kind: 'not-done', code: 'changed' },
    {
      alert: { ...diskFull, ownerId: 8 },
      assigned: {
        ...{ ...toYou, isOwn: false, name: 'Bob Baker' },
        taking: { isByOwner: true, ago: '2 min ago' },
      },
    },
  ),
  told(
    'A flag is missing',
    'Your token can read the alert, and not change it.',
    close,
    { kind: 'not-done', code: 'forbidden' },
    { canAsk: true },
  ),
  told(
    'A text that monitoring refuses',
    'It says why.',
    comment,
    { kind: 'not-done', code: 'bad-request' },
    { reason: 'message too long' },
  ),
  told('Not certain yet', 'Monitoring took it and doesn’t show it.', comment, {
    ...{ kind: 'uncertain', doubt: 'not-seen' },
  }),
  forYou(
    'A text that comes back',
    'Somebody types `/alert comment disk-full` and a long text.',
    renderTextBack(`${tooLong} Nothing was sent.`, long),
  ),
  forAll(
    'An alert is yours',
    'To the new owner, by direct message.',
    renderNewOwner('@alice (Alice Archer)', 'https://example.slack.com/archives/C012AB3CD/p1700000000000100'),
  ),
]
