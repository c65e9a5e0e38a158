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
import { alertHeading, formNote } from '../render/forms.ts'
import { longestComment } from '../text-rules.ts'
import type { Candidates, WhyNoList } from './candidates.ts'
import type { ForWhom } from './wanted.ts'

/** Callback ids, by what the form is for. */
export const assignViews: Readonly<Record<ForWhom, string>> = {
  me: 'act.who-form',
  somebody: 'act.assign-form',
}
/** Block ids of the inputs. */
export const personInput = 'person'
export const numberInput = 'user-id'
export const messageInput = 'message'
/** Action id by which the menu asks for suggestions. */
export const suggestPersonAction = 'act.person'

/** What the form asks for. */
export type AssignAsking = Extract<Candidates, { readonly kind: `ask-${string}` }>

/** What it holds besides. */
export interface AssignForm {
  readonly purpose: ForWhom
  /** Its `private_metadata`. */
  readonly state: string
  /** Which alert it is about, raw. */
  readonly headline: string
  /** Raw. */
  readonly message: string
  /** Whether it suggests while somebody types. */
  readonly suggests: boolean
}

const titles = { me: plain('Who are you?'), somebody: plain('Assign alert') } as const
const submits = { me: plain('Assign to me'), somebody: plain('Assign') } as const

export function assignModal(form: AssignForm, asking: AssignAsking): View {
  const { purpose, state, headline } = form
  return {
    type: 'modal',
    callback_id: assignViews[purpose],
    private_metadata: state,
    title: titles[purpose],
    submit: asking.kind === 'ask-container' ? plain('Next') : submits[purpose],
    close: plain('Cancel'),
    blocks: [
      alertHeading(headline),
      ...(purpose === 'me' ? [formNote(whyWho)] : []),
      ...askingBlocks(form, asking),
    ],
  }
}

const whyWho =
  'Bellhop can’t tell who you are in monitoring, so it asks once. It uses your answer to assign alerts to you, and you can change it on its Home tab.'

function askingBlocks(form: AssignForm, asking: AssignAsking): readonly KnownBlock[] {
  switch (asking.kind) {
    case 'ask-container':
      return [
        ...(asking.problem === undefined ? [] : [formNote(asking.problem)]),
        formNote('Bellhop can’t tell which container this alert is in.'),
        containerBlock({ text: '', suggests: form.suggests }),
      ]
    case 'ask-person':
      return isTooLong(asking.people, form.suggests)
        ? [formNote(tooManyToList(asking.people.length)), ...numberBlocks(form)]
        : [personBlock(form, asking.people), ...messageBlocks(form)]
    case 'ask-number':
      return [formNote(whyNumber(form.purpose, asking)), ...numberBlocks(form)]
    default:
      return asking satisfies never
  }
}

/** A menu shows a hundred, and more only where it suggests. */
function isTooLong(people: readonly ContainerPerson[], suggests: boolean): boolean {
  return people.length > limits.selectOptions && !suggests
}

function tooManyToList(count: number): string {
  return `${count} people are members, more than Slack can list here.`
}

function personBlock({ purpose }: AssignForm, people: readonly ContainerPerson[]): KnownBlock {
  const words = {
    type: 'input',
    block_id: personInput,
    label: plain(purpose === 'somebody' ? 'Assign to' : 'You are'),
    hint: plain(
      purpose === 'somebody' ? 'Only members of the container can get it.' : 'Choose your own name.',
    ),
  } as const
  const shared = { action_id: suggestPersonAction, placeholder: plain('Name') } as const
  return people.length > limits.selectOptions
    ? { ...words, element: { ...shared, type: 'external_select', min_query_length: 0 } }
    : { ...words, element: { ...shared, type: 'static_select', options: optionsFor(people) } }
}

function optionsFor(people: readonly ContainerPerson[]): PlainTextOption[] {
  return suggestPeople('', people).map(({ label, value }) => ({ text: literal(label), value }))
}

const longestNumber = 15

function numberBlocks(form: AssignForm): readonly KnownBlock[] {
  const isMe = form.purpose !== 'somebody'
  const label = isMe ? 'Your user ID' : 'Assign to'
  return [
    {
      type: 'input',
      block_id: numberInput,
      label: plain(label),
      hint: plain(`${isMe ? 'Your number' : 'The user’s number'} in monitoring, such as 7.`),
      element: { type: 'plain_text_input', action_id: numberInput, max_length: longestNumber },
    },
    ...messageBlocks(form),
  ]
}

function whyNumber(
  purpose: ForWhom,
  { containerId, why }: { readonly containerId: number; readonly why: WhyNoList },
): string {
  switch (why) {
    case 'no-read':
      return `Bellhop can’t list the people of container ${containerId}, because your token lacks READ there.`
    case 'no-members':
      return `Monitoring shows you no members of container ${containerId}.`
    case 'unknown':
      return purpose === 'somebody'
        ? `Bellhop can’t list the people of container ${containerId}.`
        : `Bellhop can’t find you in container ${containerId}. Your token may lack READ there.`
    default:
      return why satisfies never
  }
}

function messageBlocks({ purpose, message }: AssignForm): readonly KnownBlock[] {
  if (purpose !== 'somebody') return []
  return [
    {
      type: 'input',
      block_id: messageInput,
      optional: true,
      label: plain('Message'),
      hint: plain(
        `Up to ${longestComment} characters. Everybody who sees the alert in monitoring can read it.`,
      ),
      element: {
        type: 'plain_text_input',
        action_id: messageInput,
        multiline: true,
        ...(message === '' ? {} : { initial_value: message }),
      },
    },
  ]
}

/**
 * Whom to suggest for what is typed so far, by name.
 * @param typed - Raw. Each of its words begins a word of the name, or the number.
 */
export function suggestPeople(typed: string, people: readonly ContainerPerson[]): readonly Suggestion[] {
  const times = new Map<string, number>()
  for (const one of people) times.set(personName(one), (times.get(personName(one)) ?? 0) + 1)
  return people
    .filter((one) => isMeant(typed, one))
    .map((one) => {
      const name = personName(one)
      const apart = (times.get(name) ?? 0) > 1 ? ` (user ${one.id})` : ''
      const mark = `${apart}${one.mute ? ' (muted)' : ''}`
      return { label: `${cut(name, limits.optionText - mark.length)}${mark}`, value: String(one.id) }
    })
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
}

/** Short and on one line, without signs that nobody sees; never empty. Raw. */
export function personName({ id, name }: Pick<ContainerPerson, 'id' | 'name'>): string {
  return personNamed({ people: { [id]: name } }, id) ?? `user ${id}`
}

/** While monitoring is asked. */
export function loadingAssignModal(purpose: ForWhom): View {
  return note(purpose, 'Loading…')
}

/** In place of a form that is not needed any more, or cannot be shown. @param sentence - Raw. */
export function assignNoteModal(purpose: ForWhom, sentence: string): View {
  return note(purpose, sentence)
}

function note(purpose: ForWhom, sentence: string): View {
  return {
    type: 'modal',
    title: titles[purpose],
    close: plain('Close'),
    blocks: [{ type: 'section', text: mrkdwn(escapeText(sentence)) }],
  }
}
