// Proofs of writes about alerts: what somebody asked for, what the alert showed before and after, and what is said of it.
import { describe, expect, it } from 'vitest'
import { deedOf } from '../../src/act/kinds.ts'
import { proofIn } from '../../src/act/record.ts'
import { knowsMore, marksOf } from '../../src/alert/thread.ts'
import type { Action, Alert } from '../../src/monitor/schema.ts'
import type { AlertWrite, WriteOutcome } from '../../src/send/outcome.ts'

const [alice, bob, carol] = [7, 8, 9] as const

const about = { ks: 'k1', message: '', shown: undefined, senderId: alice, cardId: undefined }
const assign = (more: Partial<AlertWrite & { kind: 'assign' }> = {}): AlertWrite => ({
  ...about,
  kind: 'assign',
  ownerId: alice,
  ...more,
})
const comment = (
  message: string,
  more: Partial<AlertWrite & { kind: 'comment' }> = {},
): AlertWrite => ({
  ...about,
  kind: 'comment',
  message,
  ...more,
})
const close = (more: Partial<AlertWrite & { kind: 'close' }> = {}): AlertWrite => ({
  ...about,
  kind: 'close',
  isSolution: false,
  ...more,
})

type Given = Partial<Pick<Alert, 'ownerId' | 'closedTimestamp' | 'actions'>>
const none: Given = {}
/** Of an alert: whose it is, and what has happened. */
const of = (ownerId: number | null, ...actions: Action[]): Given => ({ ownerId, actions })
const having = (...actions: Action[]): Given => ({ actions })
const shut = (...actions: Action[]): Given => ({ closedTimestamp: 60, actions })

function alert(given: Given = {}): Alert {
  return {
    ks: 'k1',
    message: 'Disk is full',
    severity: 2,
    timestamp: 50,
    lastMessage: 'Disk is full',
    lastSeverity: 2,
    lastTimestamp: 50,
    ownerId: null,
    closedTimestamp: null,
    actions: [],
    ...given,
  }
}

/** @param by - Undefined: the service names nobody. */
function action(kind: string, by?: number, data: Action['data'] = {}): Action {
  return { kind, timestamp: 60, data: { ...(by === undefined ? {} : { userId: by }), ...data } }
}
const assigned = (ownerId: number, by?: number, message = '') =>
  action('Assign', by, { ownerId, message })
const said = (message: string, by?: number) => action('Comment', by, { message })
const closed = (by?: number, message = '') => action('Close', by, { message })
const itself: Action = { kind: 'AutoClose', timestamp: 60, data: null }
const indirect: Action = { kind: 'IndirectClose', timestamp: 60, data: null }

const nothing = undefined
const seen: WriteOutcome = { kind: 'done', ground: 'seen' }
const byAnother: WriteOutcome = { kind: 'done', ground: 'by-another' }

/** What is asked, what comes to be, what is said of that; and what is there before. */
type Story = readonly [
  string,
  AlertWrite,
  after: Given,
  says: WriteOutcome | undefined,
  before?: Given,
]

function tell(
  write: AlertWrite,
  later: Given,
  says: WriteOutcome | undefined,
  earlier: Given = none,
): void {
  const old = earlier.actions ?? []
  const after = { ...earlier, ...later, actions: [...old, ...(later.actions ?? [])] }
  expect(proofIn(write, alert(earlier), alert(after))).toEqual(says)
}

const mine = assign()
const onIt = assign({ message: 'On it' })

describe('an assignment', () => {
  it.for<Story>([
    ['shows nothing yet', mine, none, nothing],
    ['names its sender', mine, of(alice, assigned(alice, alice)), seen],
    [
      'names nobody and has the exact words',
      onIt,
      of(alice, assigned(alice, undefined, 'On it')),
      seen,
    ],
    ['without words names nobody', mine, of(alice, assigned(alice)), seen],
    ['shows in the owner alone', mine, of(alice), seen],
    [
      'names its sender, and the service left out the words',
      onIt,
      of(alice, assigned(alice, alice)),
      seen,
    ],
    ['was made by somebody else meanwhile', mine, of(alice, assigned(alice, bob)), byAnother],
    [
      'was made by another in the same words',
      onIt,
      of(alice, assigned(alice, bob, 'On it')),
      byAnother,
    ],
    [
      'by somebody unnamed, in other words',
      onIt,
      of(alice, assigned(alice, undefined, 'You')),
      byAnother,
    ],
    ['of others in turn names none', mine, of(alice, assigned(carol, bob), assigned(alice)), seen],
    ['was made, then taken', mine, of(bob, assigned(alice, alice), assigned(bob, bob)), seen],
    ['was not made: somebody else took it meanwhile', mine, of(bob, assigned(bob, bob)), nothing],
    [
      'was not made: its sender gave it away meanwhile',
      mine,
      of(bob, assigned(bob, alice)),
      nothing,
    ],
    [
      'of long ago proves nothing',
      mine,
      none,
      nothing,
      of(bob, assigned(alice, alice), assigned(bob, bob)),
    ],
  ])('%s', ([, ...story]) => tell(...story))
})

const looking = comment('Looking')
const cafe = comment('Café is  down\r\nagain ')
const unknownSays = comment('Looking', { senderId: undefined })

describe('a comment', () => {
  it.for<Story>([
    ['shows nothing yet', looking, none, nothing],
    ['names its sender', looking, having(said('Looking', alice)), seen],
    ['names nobody and has the exact words', looking, having(said('Looking')), seen],
    [
      'may have other spaces and accents',
      cafe,
      having(said('Cafe\u0301 is down again', alice)),
      seen,
    ],
    [
      'of somebody else in the same words is not it',
      looking,
      having(said('Looking', bob)),
      nothing,
    ],
    ['of its sender in other words is not it', looking, having(said('Done', alice)), nothing],
    [
      'names its sender, and the service shows no words',
      looking,
      having(action('Comment', alice)),
      seen,
    ],
    ['with neither words nor name may be anybody’s', looking, having(action('Comment')), nothing],
    ['like one before shows nothing yet', looking, none, nothing, having(said('Looking', alice))],
    [
      'shows beside one before',
      looking,
      having(said('Looking', alice)),
      seen,
      having(said('Looking', alice)),
    ],
    ['of an unknown sender has their words', unknownSays, having(said('Looking', alice)), seen],
    [
      'shows though the alert closed meanwhile',
      looking,
      shut(said('Looking', alice), itself),
      seen,
    ],
    ['was lost as the alert closed meanwhile', looking, shut(itself), nothing],
    ['is not what was said when it was closed', looking, shut(closed(alice, 'Looking')), nothing],
  ])('%s', ([, ...story]) => tell(...story))
})

const rotated = close({ message: 'Rotated the logs' })

describe('a closing', () => {
  it.for<Story>([
    ['shows nothing yet', close(), none, nothing],
    ['names its sender', close(), shut(closed(alice)), seen],
    [
      'names nobody and has the exact words',
      rotated,
      shut(closed(undefined, 'Rotated the logs')),
      seen,
    ],
    ['without words names nobody', close(), shut(closed()), seen],
    ['shows in the alert alone', close(), shut(), seen],
    [
      'that names its sender is theirs, though the service left out the words',
      rotated,
      shut(closed(alice)),
      seen,
    ],
    ['with neither words nor name may be anybody’s', rotated, shut(action('Close')), seen],
    ['by itself, beside one that may be its sender’s', rotated, shut(itself, closed()), seen],
    [
      'by somebody unnamed, in other words',
      rotated,
      shut(closed(undefined, 'Restarted it')),
      byAnother,
    ],
    ['was made by somebody else meanwhile', rotated, shut(closed(bob)), byAnother],
    ['closed by itself meanwhile', close(), shut(itself), byAnother],
    ['closed with another one', close(), shut(indirect), byAnother],
    ['was made, and the alert opened again at once', close(), of(alice, closed(alice)), seen],
    ['of long ago shows nothing yet', close(), none, nothing, having(closed(alice))],
    [
      'of long ago is not the new one',
      close(),
      shut(closed(alice)),
      seen,
      having(closed(alice), itself),
    ],
    ['that came and went by itself proves nothing', close(), having(itself), nothing],
  ])('%s', ([, ...story]) => tell(...story))
})

const already: WriteOutcome = { kind: 'done', ground: 'already' }
const changed: WriteOutcome = { kind: 'not-done', code: 'changed' }
const shown = (ownerId: number | null, closed = false) => ({ shown: { ownerId, isClosed: closed } })
const unknownCloses = close({ ...shown(null), senderId: undefined })

describe('before anything is sent', () => {
  it.each<readonly [name: string, write: AlertWrite, now: Given, says: WriteOutcome | undefined]>([
    ['it is as it was shown', assign(shown(null)), none, nothing],
    ['nobody has it, and nothing was shown', assign(), none, nothing],
    ['it is assigned so already', assign(shown(null)), of(alice), already],
    ['somebody else took it meanwhile', assign(shown(null)), of(bob), changed],
    ['somebody has it, and nothing was shown', assign(), of(bob), changed],
    [
      'its sender hands it over, and nothing was shown',
      assign({ ownerId: bob }),
      of(alice),
      nothing,
    ],
    ['it is taken over from who was shown', assign(shown(bob)), of(bob), nothing],
    ['a third one took it meanwhile', assign(shown(bob)), of(carol), changed],
    ['it closed meanwhile', assign(shown(null)), shut(), changed],
    [
      'it closed meanwhile, assigned so',
      assign(shown(null)),
      { ...shut(), ownerId: alice },
      changed,
    ],
    ['a comment goes to whoever has it', comment('x', shown(null)), of(bob), nothing],
    ['a comment, and it closed meanwhile', comment('x', shown(null)), shut(), changed],
    ['a comment on what is closed, and nothing was shown', comment('x'), shut(), changed],
    ['a comment on what was shown closed', comment('x', shown(null, true)), shut(), nothing],
    ['a comment on what opened again meanwhile', comment('x', shown(null, true)), none, nothing],
    ['it is closed as it was shown', close(shown(bob)), of(bob), nothing],
    ['it is closed, and nothing was shown', close(), of(bob), nothing],
    ['it is closed already', close(shown(bob)), { ...shut(), ownerId: bob }, already],
    ['its sender took it meanwhile, and closes it', close(shown(null)), of(alice), nothing],
    [
      'somebody else took it meanwhile, and would be surprised',
      close(shown(null)),
      of(bob),
      changed,
    ],
    [
      'somebody took it meanwhile, and its sender is not known there',
      unknownCloses,
      of(alice),
      changed,
    ],
  ])('%s', (_, write, now, says) => {
    expect(deedOf(write).heldBack(alert(now))).toEqual(says)
  })
})

describe('the reading of an act', () => {
  it('is what the card is drawn from, unless its thread knows something newer', () => {
    const read = alert(of(alice, assigned(alice, alice)))
    expect(knowsMore(marksOf(alert()), read)).toBe(false)
    expect(knowsMore(marksOf(read), read)).toBe(false)
    expect(
      knowsMore(marksOf(alert(of(bob, assigned(alice, alice), assigned(bob, bob)))), read),
    ).toBe(true)
  })
})
