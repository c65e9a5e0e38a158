// Forms of assigning: to whom, or who the asker is in monitoring, and which container to look in where that is not known;
// and what is said where none can be shown. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import { containerBlock, isMeant } from '../../grant/render/form.ts'
import type { ContainerPerson } from '../../monitor/client.ts'
import type { Suggestion } from '../../slack/guard/requests.ts'
import type { View } from '../../slack/outbound/message.ts'
import { cut, escapeText, limits, literal, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import type { FormIntent, KeyedIntent } from '../intent.ts'
import { alertHeading, formNote, modalOf, readByAll, textBlock } from '../render/forms.ts'
import { type Candidates, personName } from './candidates.ts'

/** Callback id. */
export const assignView = 'act.assign-form'
/** Block ids of the inputs; the container has its own. */
export const personInput = 'person'
export const messageInput = 'message'
/** Action id by which the menu of people asks for suggestions. */
export const suggestPersonAction = 'act.person'

const titleFor = (to: FormIntent['to']) => (to === 'me' ? 'Who are you?' : 'Assign alert')

/**
 * @param form.state - Its `private_metadata`.
 * @param form.headline - Which alert it is about, raw.
 * @param form.asking - What it asks for.
 */
export function assignModal(
  { to, message, which: { ks } }: KeyedIntent,
  form: {
    readonly state: string
    readonly headline: string
    readonly asking: Exclude<Candidates, { kind: 'known' }>
  },
): View {
  const { state, headline, asking } = form
  const isMe = to === 'me'
  const top = [alertHeading(headline), ...(isMe ? [formNote(whyWho)] : [])]
  if (asking.kind === 'ask-container') {
    const { problem } = asking
    const notes = [
      ...(problem === undefined ? [] : [problem]),
      'I can’t tell which container this alert is in.',
    ]
    return {
      ...modalOf(assignView, state, titleFor(to), 'Next'),
      blocks: [...top, ...notes.map(formNote), containerBlock()],
    }
  }
  const { people, containerId } = asking
  if (people.length === 0) return assignNoteModal(to, notListed(isMe, ks, containerId))
  const said = { message, isFirst: false, isOptional: true, hint: readByAll }
  return {
    ...modalOf(assignView, state, titleFor(to), isMe ? 'Assign to me' : 'Assign'),
    blocks: [...top, personBlock(isMe, people), ...(isMe ? [] : [textBlock(messageInput, 'Message', said)])],
  }
}

const whyWho =
  'I can’t tell who you are in monitoring, so I ask once. Your answer is used to assign alerts to you, and you can change it on my Home tab.'

function personBlock(isMe: boolean, people: readonly ContainerPerson[]): KnownBlock {
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

/** In place of a form: while monitoring is asked, or where it is not needed any more, or cannot be shown. Raw. */
export function assignNoteModal(to: FormIntent['to'], sentence: string): View {
  return {
    type: 'modal',
    title: plain(titleFor(to)),
    close: plain('Close'),
    blocks: [{ type: 'section', text: mrkdwn(escapeText(sentence)) }],
  }
}

/** At inputs. Raw. */
export const assignProblems = {
  nobody: 'Choose somebody from the list.',
  noContainerNumber: 'Type the container’s number, such as 12.',
  connectFirst: 'Connect your account, then assign the alert again.',
} as const

/** Once an account is connected: Slack lets no form open by itself then. Raw. */
export const chooseNow = 'You’re connected. Press Assign to somebody on the alert’s card again, and choose.'

/** In a modal that is not needed any more. Raw. */
export const answeredElsewhere = 'You can close this: my message has the result.'

function notListed(isMe: boolean, ks: string, containerId: number): string {
  const [what, whose] = isMe ? ['find you in', 'your'] : ['list the members of', 'their']
  const why = `I can’t ${what} container ${containerId}: your token lacks READ there, or shows nobody.`
  return `${why} Use /alert assign ${quote(ks)} with ${whose} user ID in monitoring instead.`
}

/** @param name - In Slack, raw. */
export function unknownPerson(name: string | undefined): string {
  const who = name === undefined ? 'that person' : quote(name)
  return `I can’t tell who ${who} is in monitoring. Use their user ID there in place of the name, or press Assign to somebody on the alert’s card. Nothing was sent.`
}
