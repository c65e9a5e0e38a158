// Forms of assigning: to whom, or who the asker is in monitoring, and which container to look in where that is not
// known. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import { containerBlock, isMeant } from '../../grant/form/container.ts'
import type { ContainerPerson } from '../../monitor/client.ts'
import { personNamed } from '../../names/names.ts'
import type { Suggestion } from '../../slack/guard/requests.ts'
import type { View } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, escapeText, literal, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { alertHeading, formNote, modalOf, readByAll, textBlock } from '../render/forms.ts'
import type { Candidates } from './candidates.ts'
import type { ForWhom } from './wanted.ts'

/** Callback ids, by what the form is for. */
export const assignViews: Readonly<Record<ForWhom, string>> = {
  me: 'act.who-form',
  somebody: 'act.assign-form',
}
/** Block ids of the inputs; the container has its own. */
export const personInput = 'person'
export const messageInput = 'message'
/** Action id by which the menu of people asks for suggestions. */
export const suggestPersonAction = 'act.person'

/** What the form asks for. */
type AssignAsking = Extract<Candidates, { readonly kind: `ask-${string}` }>

/** What it holds besides. */
export interface AssignForm {
  readonly purpose: ForWhom
  /** Its `private_metadata`. */
  readonly state: string
  /** Which alert it is about, raw. */
  readonly headline: string
  /** Raw. */
  readonly message: string
}

const titles = { me: 'Who are you?', somebody: 'Assign alert' } as const
const submits = { me: 'Assign to me', somebody: 'Assign' } as const

export function assignModal(form: AssignForm, asking: AssignAsking): View {
  const { purpose, state, headline, message } = form
  const asksContainer = asking.kind === 'ask-container'
  const hasMessage = purpose === 'somebody' && !asksContainer
  return {
    ...modalOf(assignViews[purpose], state, titles[purpose], asksContainer ? 'Next' : submits[purpose]),
    blocks: [
      alertHeading(headline),
      ...(purpose === 'me' ? [formNote(whyWho)] : []),
      ...askingBlocks(purpose, asking),
      ...(hasMessage
        ? [textBlock(messageInput, 'Message', { message, isFirst: false, isOptional: true, hint: readByAll })]
        : []),
    ],
  }
}

const whyWho =
  'I can’t tell who you are in monitoring, so I ask once. Your answer is used to assign alerts to you, and you can change it on my Home tab.'

function askingBlocks(purpose: ForWhom, asking: AssignAsking): readonly KnownBlock[] {
  switch (asking.kind) {
    case 'ask-container':
      return [
        ...(asking.problem === undefined ? [] : [formNote(asking.problem)]),
        formNote('I can’t tell which container this alert is in.'),
        containerBlock(),
      ]
    case 'ask-person':
      return [personBlock(purpose, asking.people)]
    default:
      return asking satisfies never
  }
}

function personBlock(purpose: ForWhom, people: readonly ContainerPerson[]): KnownBlock {
  const isMe = purpose === 'me'
  const words = {
    type: 'input',
    block_id: personInput,
    label: plain(isMe ? 'Which of these are you?' : 'Assign to'),
    ...(isMe ? {} : { hint: plain('Only members of the container can get it.') }),
  } as const
  const shared = { action_id: suggestPersonAction, placeholder: plain('Name') } as const
  // A menu shows a hundred, and more only where it suggests.
  return people.length > limits.selectOptions
    ? { ...words, element: { ...shared, type: 'external_select', min_query_length: 0 } }
    : { ...words, element: { ...shared, type: 'static_select', options: optionsFor(people) } }
}

function optionsFor(people: readonly ContainerPerson[]): PlainTextOption[] {
  return suggestPeople('', people).map(({ label, value }) => ({ text: literal(label), value }))
}

/** Whom to suggest for what is typed so far, by name or number. @param typed - Raw. */
export function suggestPeople(typed: string, people: readonly ContainerPerson[]): readonly Suggestion[] {
  const named = Map.groupBy(people, personName)
  return people
    .filter((one) => isMeant(typed, one))
    .map((one) => {
      const name = personName(one)
      const apart = (named.get(name) ?? []).length > 1 ? ` (user ${one.id})` : ''
      const mark = `${apart}${one.mute ? ' (muted)' : ''}`
      return { label: `${cut(name, limits.optionText - mark.length)}${mark}`, value: String(one.id) }
    })
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
}

/** Short and on one line, without signs that nobody sees; never empty. Raw. */
export function personName({ id, name }: Pick<ContainerPerson, 'id' | 'name'>): string {
  return personNamed({ people: { [id]: name } }, id) ?? `user ${id}`
}

/** In place of a form: while monitoring is asked, or where it is not needed any more, or cannot be shown. Raw. */
export function assignNoteModal(purpose: ForWhom, sentence: string): View {
  return {
    type: 'modal',
    title: plain(titles[purpose]),
    close: plain('Close'),
    blocks: [{ type: 'section', text: mrkdwn(escapeText(sentence)) }],
  }
}
