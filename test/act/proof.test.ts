// Proofs of writes about alerts: what somebody asked for, what the alert showed before and after, and what is said of it.
import { describe, expect, it } from 'vitest'
import { beforeOf, heldBack, proofIn } from '../../src/act/proof.ts'
import type { Action, Alert } from '../../src/monitor/schema.ts'
import type { Settled } from '../../src/send/outcome.ts'
import type { AlertWrite, AssignAlert, CloseAlert, CommentOnAlert } from '../../src/send/writes.ts'

const [alice, bob, carol] = [7, 8, 9] as const

const about = { ks: 'k1', message: '', shown: undefined, senderId: alice, cardId: undefined }
const assign = (more: Partial<AssignAlert> = {}): AssignAlert => ({
  ...{ ...about, kind: 'assign', ownerId: alice },
  ...more,
})
const comment = (message: string, more: Partial<CommentOnAlert> = {}): CommentOnAlert => ({
  ...{ ...about, kind: 'comment', message },
  ...more,
})
const close = (more: Partial<CloseAlert> = {}): CloseAlert => ({
  ...{ ...about, kind: 'close', isSolution: false },
  ...more,
})

type Given = Partial<Pick<Alert, 'ownerId' | 'closedTimestamp' | 'actions'>>

function alert(given: Given = {}): Alert {
  return {
    ...{ ks: 'k1', message: 'Disk is full', severity: 2, timestamp: 50 },
    ...{ lastMessage: 'Disk is full', lastSeverity: 2, lastTimestamp: 50 },
    ...{ ownerId: null, closedTimestamp: null, actions: [] },
    ...given,
  }
}

/** @param by - Undefined: the service names nobody. */
function action(kind: string, by: number | undefined, data: Action['data'] = {}): Action {
  return { kind, timestamp: 60, data: { ...(by === undefined ? {} : { userId: by }), ...data } }
}
const assigned = (ownerId: number, by: number | undefined, message = '') =>
  action('Assign', by, { ownerId, message })
const said = (message: string, by: number | undefined) => action('Comment', by, { message })
const closed = (by: number | undefined, message = '') => action('Close', by, { message })
const itself: Action = { kind: 'AutoClose', timestamp: 60, data: null }
const indirect: Action = { kind: 'IndirectClose', timestamp: 60, data: null }

const done = (on: NonNullable<Extract<Settled, { kind: 'done' }>['on']>): Settled => ({ kind: 'done', on })
const nothing = undefined

/** What is asked, what is there before, what comes to be, and what is said of that. */
type Story = readonly [
  name: string,
  write: AlertWrite,
  before: Given,
  after: Given,
  says: Settled | undefined,
]

function tell([, write, earlier, later, says]: Story): void {
  const old = earlier.actions ?? []
  const after = { ...earlier, ...later, actions: [...old, ...(later.actions ?? [])] }
  expect(proofIn(write, beforeOf(write, alert(earlier)), alert(after))).toEqual(says)
}

const isClosed = { closedTimestamp: 60 }
const none: Given = {}

describe('an assignment', () => {
  it.each<Story>([
    ['shows nothing yet', assign(), none, none, nothing],
    ['names its sender', assign(), none, { ownerId: alice, actions: [assigned(alice, alice)] }, done('seen')],
    [
      'of a colleague names its sender',
      assign({ ownerId: bob, message: 'Yours?' }),
      none,
      { ownerId: bob, actions: [assigned(bob, alice, 'Yours?')] },
      done('seen'),
    ],
    [
      'names nobody and has the exact words',
      assign({ message: 'On it' }),
      none,
      { ownerId: alice, actions: [assigned(alice, undefined, 'On it')] },
      done('seen'),
    ],
    [
      'names somebody and has the exact words of a sender who is not known there',
      assign({ message: 'On it', senderId: undefined }),
      none,
      { ownerId: alice, actions: [assigned(alice, alice, 'On it')] },
      done('seen'),
    ],
    [
      'without words names nobody',
      assign(),
      none,
      { ownerId: alice, actions: [assigned(alice, undefined)] },
      done('unsaid'),
    ],
    ['shows in the owner alone', assign(), none, { ownerId: alice }, done('unsaid')],
    [
      'without words by nobody known, which the service put words to, may be the sender’s',
      assign({ senderId: undefined }),
      none,
      { ownerId: alice, actions: [assigned(alice, undefined, 'Assigned by API')] },
      done('unsaid'),
    ],
    [
      'that names its sender is theirs, though the service left out the words',
      assign({ message: 'On it' }),
      none,
      { ownerId: alice, actions: [assigned(alice, alice)] },
      done('seen'),
    ],
    [
      'was made by somebody else meanwhile',
      assign(),
      none,
      { ownerId: alice, actions: [assigned(alice, bob)] },
      done('by-another'),
    ],
    [
      'was made by somebody else meanwhile, in the very same words',
      assign({ message: 'On it' }),
      none,
      { ownerId: alice, actions: [assigned(alice, bob, 'On it')] },
      done('by-another'),
    ],
    [
      'by somebody unnamed, in other words',
      assign({ message: 'On it' }),
      none,
      { ownerId: alice, actions: [assigned(alice, undefined, 'For you')] },
      done('by-another'),
    ],
    [
      'that somebody else gave to a third one first is not that one’s doing',
      assign({ message: 'On it' }),
      none,
      { ownerId: alice, actions: [assigned(carol, bob), assigned(alice, undefined)] },
      done('unsaid'),
    ],
    [
      'was made by somebody else, and then by its sender',
      assign(),
      none,
      { ownerId: alice, actions: [assigned(alice, bob), assigned(alice, alice)] },
      done('seen'),
    ],
    [
      'was made by its sender, and then by somebody whom the service does not name',
      assign(),
      none,
      { ownerId: alice, actions: [assigned(alice, alice), assigned(alice, undefined)] },
      done('seen'),
    ],
    [
      'was made, and somebody else took it at once',
      assign(),
      none,
      { ownerId: bob, actions: [assigned(alice, alice), assigned(bob, bob)] },
      done('seen'),
    ],
    [
      'was not made: somebody else took it meanwhile',
      assign(),
      none,
      { ownerId: bob, actions: [assigned(bob, bob)] },
      nothing,
    ],
    [
      'was not made: its sender gave it to somebody else meanwhile',
      assign(),
      none,
      { ownerId: bob, actions: [assigned(bob, alice)] },
      nothing,
    ],
    [
      'of long ago proves nothing of one that takes it back',
      assign(),
      { ownerId: bob, actions: [assigned(alice, alice), assigned(bob, bob)] },
      none,
      nothing,
    ],
    [
      'is not who did it before, when the service names nobody now',
      assign(),
      { ownerId: bob, actions: [assigned(alice, bob), assigned(bob, bob)] },
      { ownerId: alice },
      done('unsaid'),
    ],
  ])('%s', (...story) => tell(story))
})

describe('a comment', () => {
  it.each<Story>([
    ['shows nothing yet', comment('Looking'), none, none, nothing],
    ['names its sender', comment('Looking'), none, { actions: [said('Looking', alice)] }, done('seen')],
    [
      'names nobody and has the exact words',
      comment('Looking'),
      none,
      { actions: [said('Looking', undefined)] },
      done('seen'),
    ],
    [
      'has the exact words, but for how the service writes spaces and accents',
      comment('Café is  down\r\nagain '),
      none,
      { actions: [said('Cafe\u0301 is down again', alice)] },
      done('seen'),
    ],
    [
      'of somebody else in the same words is not it',
      comment('Looking'),
      none,
      { actions: [said('Looking', bob)] },
      nothing,
    ],
    [
      'of its sender in other words is not it',
      comment('Looking'),
      none,
      { actions: [said('Done', alice)] },
      nothing,
    ],
    [
      'names its sender, and the service shows no words',
      comment('Looking'),
      none,
      { actions: [action('Comment', alice)] },
      done('seen'),
    ],
    [
      'of which the service shows neither words nor name may be anybody’s',
      comment('Looking'),
      none,
      { actions: [{ kind: 'Comment', timestamp: 60, data: null }] },
      nothing,
    ],
    [
      'in the same words as one before shows nothing yet',
      comment('Looking'),
      { actions: [said('Looking', alice)] },
      none,
      nothing,
    ],
    [
      'in the same words as one before shows beside it',
      comment('Looking'),
      { actions: [said('Looking', alice)] },
      { actions: [said('Looking', alice)] },
      done('seen'),
    ],
    [
      'in the same words as one before, and somebody else says them now',
      comment('Looking'),
      { actions: [said('Looking', alice)] },
      { actions: [said('Looking', bob)] },
      nothing,
    ],
    [
      'of a sender who is not known there, in words that nobody else has',
      comment('Looking', { senderId: undefined }),
      { actions: [said('Me too', bob)] },
      { actions: [said('Looking', alice)] },
      done('seen'),
    ],
    [
      'shows though the alert closed meanwhile',
      comment('Looking'),
      none,
      { ...isClosed, actions: [said('Looking', alice), itself] },
      done('seen'),
    ],
    [
      'was lost as the alert closed meanwhile',
      comment('x'),
      none,
      { ...isClosed, actions: [itself] },
      nothing,
    ],
    [
      'is not what was said when it was closed or assigned',
      comment('Looking'),
      none,
      { ...isClosed, ownerId: alice, actions: [assigned(alice, alice, 'Looking'), closed(alice, 'Looking')] },
      nothing,
    ],
  ])('%s', (...story) => tell(story))
})

describe('a closing', () => {
  it.each<Story>([
    ['shows nothing yet', close(), none, none, nothing],
    ['names its sender', close(), none, { ...isClosed, actions: [closed(alice)] }, done('seen')],
    [
      'names nobody and has the exact words',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [closed(undefined, 'Rotated the logs')] },
      done('seen'),
    ],
    [
      'without words names nobody',
      close(),
      none,
      { ...isClosed, actions: [closed(undefined)] },
      done('unsaid'),
    ],
    ['shows in the alert alone', close(), none, isClosed, done('unsaid')],
    [
      'that names its sender is theirs, though the service left out the words',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [closed(alice)] },
      done('seen'),
    ],
    [
      'of which the service says no more may be anybody’s, though it had words',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [{ kind: 'Close', timestamp: 60, data: null }] },
      done('unsaid'),
    ],
    [
      'by itself, beside one that may be its sender’s',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [itself, closed(undefined)] },
      done('unsaid'),
    ],
    [
      'by somebody unnamed, in other words',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [closed(undefined, 'Restarted it')] },
      done('by-another'),
    ],
    [
      'was made by somebody else meanwhile',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [closed(bob)] },
      done('by-another'),
    ],
    ['closed by itself meanwhile', close(), none, { ...isClosed, actions: [itself] }, done('by-another')],
    ['closed with another one', close(), none, { ...isClosed, actions: [indirect] }, done('by-another')],
    [
      'closed by itself, and the words of its sender are there as well',
      close({ message: 'Rotated the logs' }),
      none,
      { ...isClosed, actions: [itself, closed(alice, 'Rotated the logs')] },
      done('seen'),
    ],
    [
      'was made, and the alert opened again at once',
      close(),
      none,
      { ownerId: alice, actions: [closed(alice)] },
      done('seen'),
    ],
    [
      'of an alert that had opened again before shows nothing yet',
      close(),
      { actions: [closed(alice)] },
      none,
      nothing,
    ],
    [
      'of an alert that had opened again before is new',
      close(),
      { actions: [closed(alice), itself] },
      { ...isClosed, actions: [closed(alice)] },
      done('seen'),
    ],
    [
      'of an alert that had closed by itself before is not that closing',
      close(),
      { actions: [itself] },
      isClosed,
      done('unsaid'),
    ],
    ['that came and went by itself proves nothing', close(), none, { actions: [itself] }, nothing],
  ])('%s', (...story) => tell(story))
})

const already = done('already')
const changed: Settled = { kind: 'not-done', code: 'changed' }
const shown = (ownerId: number | null, closed = false) => ({ shown: { ownerId, isClosed: closed } })

describe('before anything is sent', () => {
  it.each<readonly [name: string, write: AlertWrite, now: Given, says: Settled | undefined]>([
    ['it is as it was shown', assign(shown(null)), none, nothing],
    ['nobody has it, and nothing was shown', assign(), none, nothing],
    ['it is assigned so already', assign(shown(null)), { ownerId: alice }, already],
    ['somebody else took it meanwhile', assign(shown(null)), { ownerId: bob }, changed],
    ['somebody has it, and nothing was shown', assign(), { ownerId: bob }, changed],
    ['it is taken over from who was shown', assign(shown(bob)), { ownerId: bob }, nothing],
    ['a third one took it meanwhile', assign(shown(bob)), { ownerId: carol }, changed],
    ['it closed meanwhile', assign(shown(null)), isClosed, changed],
    ['it closed meanwhile, assigned so', assign(shown(null)), { ...isClosed, ownerId: alice }, changed],
    ['a comment goes to whoever has it', comment('x', shown(null)), { ownerId: bob }, nothing],
    ['a comment, and it closed meanwhile', comment('x', shown(null)), isClosed, changed],
    ['a comment on what is closed, and nothing was shown', comment('x'), isClosed, changed],
    ['a comment on what was shown closed', comment('x', shown(null, true)), isClosed, nothing],
    ['a comment on what opened again meanwhile', comment('x', shown(null, true)), none, nothing],
    ['it is closed as it was shown', close(shown(bob)), { ownerId: bob }, nothing],
    ['it is closed, and nothing was shown', close(), { ownerId: bob }, nothing],
    ['it is closed already', close(shown(bob)), { ...isClosed, ownerId: bob }, already],
    ['its sender took it meanwhile, and closes it', close(shown(null)), { ownerId: alice }, nothing],
    [
      'somebody else took it meanwhile, who would be surprised',
      close(shown(null)),
      { ownerId: bob },
      changed,
    ],
    [
      'somebody took it meanwhile, and who the sender is there is not known',
      close({ ...shown(null), senderId: undefined }),
      { ownerId: alice },
      changed,
    ],
  ])('%s', (_, write, now, says) => {
    expect(heldBack(write, alert(now))).toEqual(says)
  })
})

it('what was noted before survives being kept', () => {
  const before = beforeOf(close(), alert({ ownerId: bob, actions: [closed(alice), itself] }))
  expect(JSON.parse(JSON.stringify(before))).toEqual(before)
})
