// The gallery's forms of assigning, what is asked on the way, and every verdict on an assignment.
import {
  type AssignAsking,
  type AssignForm,
  assignModal,
  assignNoteModal,
  loadingAssignModal,
} from '../../../../src/act/assign/modal.ts'
import {
  answeredElsewhere,
  assignProblems,
  renderAskSelf,
  renderContainerToken,
  renderOpenForm,
  unknownPerson,
} from '../../../../src/act/assign/prompts.ts'
import type { AssignFacts } from '../../../../src/act/render/assign-words.ts'
import { renderActVerdict } from '../../../../src/act/render/verdict.ts'
import { lengthProblem } from '../../../../src/act/text-rules.ts'
import type { ContainerPerson } from '../../../../src/monitor/client.ts'
import type { Alert } from '../../../../src/monitor/schema.ts'
import type { SendOutcome } from '../../../../src/send/outcome.ts'
import type { AssignAlert } from '../../../../src/send/writes.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { asLine, type Entry, forYou, modal } from '../stage/entry.ts'
import { asOf, diskFull } from '../stage/sample.ts'

const person = (id: number, name: string, mute = false): ContainerPerson => ({
  ...{ id, name, email: undefined, authProvider: undefined, inherit: false, member: true, mute },
  permissions: [],
})
const people = [person(7, 'Alice Archer'), person(8, 'Bob Baker'), person(9, 'Dave Doe', true)]
const headline = 'Disk /var on db-03 is 96 % full'
const suggests = { kind: 'suggests', canSwitch: false } as const
const typed = { kind: 'typed', canSwitch: false } as const
const choose: AssignAsking = { kind: 'ask-person', containerId: 12, people }
const byNumber = (why: 'no-read' | 'no-members' | 'unknown'): AssignAsking => ({
  kind: 'ask-number',
  containerId: 12,
  why,
})
const many: AssignAsking = {
  ...choose,
  people: Array.from({ length: 137 }, (_, at) => person(at + 1, `Person ${at + 1}`)),
}

function form(purpose: AssignForm['purpose'], asking: AssignAsking, how: Partial<AssignForm> = {}) {
  return assignModal({ purpose, state: '', headline, message: '', mode: suggests, ...how }, asking)
}

const long = 'Please take this one, as the rotation has failed since Monday. '.repeat(4).trim()
const wanted = {
  ...{ id: 'sample', ks: 'disk-full', message: '', isOnCard: true },
  ...{ shown: { ownerId: null, isClosed: false }, cardId: 'card' },
}

export const assignForms: readonly Entry[] = [
  modal(
    'The form of assigning',
    'Somebody chooses _Assign to somebody_ on a card.',
    form('somebody', choose),
  ),
  modal('A message that is too long, in the form of assigning', 'It isn’t cut.', form('somebody', choose), {
    typed: { message: long },
    errors: { message: lengthProblem({ kind: 'assign', message: long }) ?? '' },
  }),
  modal(
    'Who you are',
    'Somebody presses _Assign to me_ for the first time, and no address tells who they are.',
    form('me', choose),
  ),
  modal(
    'Who you are, when somebody else is that',
    'Monitoring has shown that it’s a colleague.',
    form('me', byNumber('no-read')),
    { typed: { 'user-id': '7' }, errors: { 'user-id': assignProblems.taken } },
  ),
  modal(
    'Who you are, once a colleague is that',
    'You chose a name, and then a colleague’s assignment showed that it’s theirs.',
    form('me', choose, { overruled: 'Bob Baker' }),
  ),
  modal(
    'Who you are, changed',
    'You press _Change_ on the Home tab.',
    form('nobody', choose, { headline: undefined }),
  ),
  modal(
    'Who you are, and where to look',
    'You press _Change_, and have used several containers.',
    form('nobody', { kind: 'ask-container' }, { headline: undefined }),
  ),
  modal(
    'Who you are, and where to look, where Slack doesn’t ask for suggestions',
    'The same, and you type the container’s number.',
    form('nobody', { kind: 'ask-container' }, { headline: undefined, mode: typed }),
  ),
  modal(
    'Who you are, with a container’s token',
    'You press _Change_, and your token is a container’s.',
    assignNoteModal('nobody', assignProblems.nobody),
  ),
  modal(
    'Who you are, not connected',
    'You disconnected while the form was open.',
    assignNoteModal('nobody', assignProblems.notConnected),
  ),
  modal(
    'The container to look in',
    'Nothing tells Bellhop which container the alert is in.',
    form('somebody', { kind: 'ask-container' }),
  ),
  modal(
    'The container to look in, where Slack doesn’t ask for suggestions',
    'What was typed is no number.',
    form('somebody', { kind: 'ask-container' }, { mode: typed }),
    { typed: { container: 'customer' }, errors: { container: assignProblems.noContainerNumber } },
  ),
  modal(
    'A container that isn’t there',
    'Your token shows none with this number.',
    form('somebody', { kind: 'ask-container', problem: assignProblems.noContainer(99) }, { mode: typed }),
  ),
  modal(
    'A user ID in place of a name',
    'The token may not read who is in the container.',
    form('somebody', byNumber('no-read')),
    { typed: { 'user-id': 'Dave' }, errors: { 'user-id': assignProblems.noNumber } },
  ),
  modal(
    'A user ID, as nobody is a member',
    'Monitoring lists no members.',
    form('somebody', byNumber('no-members')),
  ),
  modal(
    'A user ID, as nobody can be listed',
    'Monitoring doesn’t list the people of that container.',
    form('somebody', byNumber('unknown')),
  ),
  modal(
    'A user ID, as nobody can be listed, for you',
    'The same for _Assign to me_.',
    form('me', byNumber('unknown')),
  ),
  modal(
    'Who you are, where your token lacks READ',
    'You type your own user ID.',
    form('me', byNumber('no-read')),
  ),
  modal(
    'More people than Slack can list',
    'Slack doesn’t ask for suggestions, and there are more than a hundred.',
    form('somebody', many, { mode: typed }),
  ),
  modal('While people are read', 'Monitoring takes its time.', loadingAssignModal('somebody')),
  modal(
    'Nothing to choose',
    'Monitoring answers late, and shows who you are.',
    assignNoteModal('me', answeredElsewhere),
  ),
  forYou(
    'Who you are, asked in a message',
    'Somebody writes `@Bellhop assign disk-full me`, and Slack opens no form then.',
    renderAskSelf(wanted),
  ),
  forYou(
    'Who you are, asked in a message, where yours doesn’t fit',
    'The same, with a long key and a message full of quotes.',
    renderAskSelf({ ...wanted, ks: `disk-full-${'0'.repeat(400)}`, message: `"rotated"${'\\'.repeat(800)}` }),
  ),
  forYou(
    'A container’s token',
    'Somebody with a container’s token presses _Assign to me_.',
    renderContainerToken(wanted),
  ),
  asLine(
    forYou(
      'A container’s token, by line',
      'The same with `/alert assign disk-full me`.',
      renderContainerToken({ ...wanted, shown: undefined, cardId: undefined }),
    ),
  ),
  forYou(
    'Connected, to assign an alert',
    'Somebody chose _Assign to somebody_ before they had connected.',
    renderOpenForm({ cardId: 'card', ownerId: null }),
  ),
  asLine(
    forYou(
      'Not connected any more, in the form',
      'The token was refused while the form was open.',
      say(assignProblems.connectFirst),
    ),
  ),
  asLine(
    forYou(
      'Somebody whom nobody knows in monitoring',
      'Somebody types `/alert assign disk-full @bob`.',
      say(unknownPerson('Bob Baker')),
    ),
  ),
  asLine(
    forYou(
      'Somebody whom Slack doesn’t name either',
      'The same, and Slack doesn’t say who it is.',
      say(unknownPerson(undefined)),
    ),
  ),
]

const assign: AssignAlert = {
  ...{ kind: 'assign', ks: 'disk-full', message: '', ownerId: 7 },
  ...{ shown: undefined, senderId: undefined, cardId: undefined },
}
const you: AssignFacts = {
  ...{ isForSelf: true, isOwn: true, name: undefined, isMuted: false },
  ...{ taking: undefined, identity: undefined },
}
const dave: AssignFacts = { ...you, isForSelf: false, isOwn: false, name: 'Dave Doe' }
const bobHasIt: AssignFacts = {
  ...{ ...you, isOwn: false, name: 'Bob Baker' },
  taking: { isByOwner: true, ago: '2 min ago' },
}

function told(
  name: string,
  when: string,
  outcome: SendOutcome,
  assigned: AssignFacts | undefined,
  how: { readonly alert?: Alert | undefined; readonly write?: Partial<AssignAlert> } = {},
): Entry {
  const alert = 'alert' in how ? how.alert : diskFull
  const found = {
    ...{ id: '7c1d4f7e', alert, reason: undefined, assigned },
    ...{ isLate: false, wasDoubted: false, canAsk: false },
  }
  return forYou(name, when, renderActVerdict({ ...assign, ...how.write }, outcome, found))
}

const done = { kind: 'done', on: 'seen' } as const
const already = { kind: 'done', on: 'already' } as const
const byAnother = { kind: 'done', on: 'by-another' } as const
const changed = { kind: 'not-done', code: 'changed' } as const
const notMember = { kind: 'not-done', code: 'not-found' } as const

export const assignVerdicts: readonly Entry[] = [
  told('Assigned to you', 'Monitoring shows it.', done, you),
  told('Assigned to somebody', 'They have muted monitoring.', done, { ...dave, isMuted: true }),
  told('Assigned to somebody without a name', 'Your token shows no names.', done, {
    ...dave,
    name: undefined,
  }),
  told('Not who you said', 'You chose another name, and monitoring shows who you are.', done, {
    ...{ ...dave, name: 'Bob Baker' },
    identity: 'mistaken',
  }),
  told('Who you are, corrected', 'You are somebody else than before.', done, {
    ...you,
    identity: 'corrected',
  }),
  told('Somebody else is that', 'Another person in the workspace has proven to be that user.', done, {
    ...dave,
    identity: 'taken',
  }),
  told('Yours already', 'You press _Assign to me_ twice.', already, you),
  told('Yours already, as you said', 'You chose who you are, and nothing has shown it yet.', already, {
    ...{ ...you, identity: 'unproven', name: 'Carol Clark' },
  }),
  told('Theirs already', 'It is Dave’s already.', already, dave),
  told('Theirs already, without a name', 'Your token shows no names.', already, { ...dave, name: undefined }),
  told('Assigned by somebody else meanwhile', 'A colleague was quicker.', byAnother, you),
  told('Assigned by somebody else to somebody', 'Your token shows no names.', byAnother, {
    ...dave,
    name: undefined,
  }),
  told('Somebody was quicker', 'Bob took it before you pressed _Assign to me_.', changed, bobHasIt, {
    alert: { ...diskFull, ownerId: 8 },
  }),
  told('Somebody was given it', 'Alice gave it to Bob before you could give it to Dave.', changed, {
    ...{ ...bobHasIt, isForSelf: false },
    taking: { isByOwner: false, ago: '2 min ago' },
  }),
  told('Somebody was quicker, without a name', 'Your token shows no names.', changed, {
    ...bobHasIt,
    name: undefined,
  }),
  told('Somebody was given it, without a name', 'Your token shows no names.', changed, {
    ...{ ...bobHasIt, name: undefined },
    taking: { isByOwner: false, ago: undefined },
  }),
  told('Yours by now', 'A colleague gave it to you before you gave it to Dave.', changed, {
    ...{ ...dave, isOwn: true },
  }),
  told('Unassigned by now', 'The card showed an owner.', changed, dave, {
    alert: { ...diskFull, ownerId: null },
  }),
  told('Closed before it was assigned', 'It was closed before you pressed.', changed, you, {
    alert: { ...diskFull, closedTimestamp: asOf },
  }),
  told('Changed, and nothing is known', 'You connected a day later.', changed, undefined, {
    alert: undefined,
  }),
  told('No member of the container', 'Monitoring answers 404.', notMember, dave),
  told('No member, without a name', 'Your token shows no names.', notMember, { ...dave, name: undefined }),
  told('No member yourself', 'Monitoring answers 404.', notMember, you),
  told('No member, as who you said you are', 'You chose the wrong name.', notMember, {
    ...{ ...you, identity: 'asked-again', name: 'Carol Clark' },
  }),
  told(
    'No alert or no member',
    'Your token can’t read alerts, and you typed a wrong user ID.',
    notMember,
    {
      ...{ ...you, identity: 'asked-again' },
    },
    { alert: undefined, write: { ownerId: 99, cardId: 'c1' } },
  ),
  told(
    'The right to assign is missing',
    'Monitoring answers 403.',
    { kind: 'not-done', code: 'forbidden' },
    you,
  ),
  told(
    'An assignment that may be done',
    'Monitoring didn’t answer in time.',
    {
      ...{ kind: 'uncertain', doubt: 'timed-out' },
    },
    you,
  ),
]
