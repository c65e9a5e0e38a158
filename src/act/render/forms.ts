// Draws the forms for acts on an alert, and has the rules for the texts of acts. Pure.
import type { Checkboxes, InputBlock, KnownBlock, PlainTextOption } from '@slack/types'
import { keyBlock } from '../../alert/render/look-up.ts'
import type { ContainerPerson } from '../../monitor/schema.ts'
import { isMeant } from '../../names/field.ts'
import { personNamed } from '../../names/names.ts'
import type { AlertWrite } from '../../send/outcome.ts'
import {
  describe,
  formView,
  input,
  note,
  noticeView,
  section,
  textElement,
  type View,
} from '../../slack/outbound/message.ts'
import { cut, escapeText, limits, literal, plain } from '../../slack/text/mrkdwn.ts'
import { isBlank, looksLikeToken, quote } from '../../slack/text/typed.ts'
import type { KeyedIntent } from '../intent.ts'
import { actKinds } from '../kinds.ts'

export const longestComment = actKinds.comment.longest

/** Number of code points, as the service counts. */
export function lengthOf(message: string): number {
  return [...message].length
}

/** Why the service would refuse the text, raw; undefined if it would take the text. */
export function textRefusal(kind: AlertWrite['kind'], message: string): string | undefined {
  if (kind === 'comment' && isBlank(message)) return 'Type a comment: spaces alone are none.'
  const length = lengthOf(message)
  const most = actKinds[kind].longest
  return length > most
    ? `Monitoring takes ${most} characters at most, and that’s ${length}.`
    : undefined
}

/** True if a word looks like a token, or the known token is anywhere inside. */
export function holdsToken(message: string, token: string | undefined): boolean {
  return withoutTokens(message, token) !== message
}

/** Replaces each token, raw. Comes before any cut: a cut could leave the beginning of a token, which nobody would find. */
export function withoutTokens(message: string, token: string | undefined): string {
  const others = token === undefined ? message : message.replaceAll(token, tokenGone)
  return others.replaceAll(/\S+/g, (word) => (looksLikeToken(word) ? tokenGone : word))
}

const tokenGone = '[token]'

export const actView = 'act.form'
export const addAsCommentShortcut = 'act.add-as-comment'
/** Block ids of the inputs. The key’s input has the same id as in other forms: `keyInput`. */
export const textInput = 'text'
export const solutionInput = 'solution'
export const personInput = 'person'
export const suggestPersonAction = 'act.person'

/** The form of *Comment* or *Close alert* as it opens. */
interface ActForm {
  readonly act: AlertWrite['kind']
  readonly state: string
  /** Names the alert, raw; undefined if the form asks for its key. */
  readonly headline: string | undefined
  /** The text that the form begins with. Raw. */
  readonly message: string
  readonly isSolution?: boolean | undefined
  /** Prefills the key’s field, if there is one. Raw. */
  readonly typedKey?: string | undefined
  readonly takesLinks?: boolean
  /** Shown below the text. Raw. */
  readonly notes?: readonly string[]
}

export const cutNote = `The message is longer than ${longestComment} characters. This is its beginning.`
export const maskedNote =
  'I left out what looks like an API token. If it is one, revoke it in monitoring.'

const readByAll = `Up to ${longestComment} characters. Everybody who sees the alert in monitoring can read it.`

const solution = { text: plain('Keep as the solution (60 characters or more)'), value: 'solution' }
const mayReopen =
  'If the trouble is still there, monitoring opens the alert again and assigns it to you.'

export function actModal(form: ActForm): View {
  const { act, state, headline, message, takesLinks = false, notes = [] } = form
  const isKnown = headline !== undefined
  const top = isKnown ? alertHeading(headline) : [keyBlock(takesLinks, form.typedKey)]
  // In a known alert’s form, typing can begin at once.
  const text = textElement(textInput, message, {
    multiline: true,
    focus_on_load: isKnown,
  })
  if (act === 'comment') {
    const comment = input(textInput, 'Comment', text, { hint: readByAll })
    const blocks = [...top, comment, ...notes.map(formNote)]
    return formView(actView, 'Comment on alert', state, blocks, 'Comment')
  }

  const boxes: Checkboxes = {
    type: 'checkboxes',
    action_id: solutionInput,
    options: [solution],
    ...(form.isSolution && { initial_options: [solution] }),
  }
  return formView(actView, 'Close alert', state, [
    ...top,
    input(textInput, 'What fixed it?', text, { isOptional: true }),
    input(solutionInput, 'Solution', boxes, { isOptional: true }),
    formNote(mayReopen),
  ])
}

/** People of the alert’s container to choose from; none if nobody can be listed. */
export interface ToChoose {
  readonly containerId: number
  readonly people: readonly ContainerPerson[]
}

interface AssignForm extends ToChoose, Pick<KeyedIntent, 'to' | 'which' | 'message'> {
  readonly state: string
  /** Names the alert, raw. */
  readonly headline: string
}

type WantedOwner = KeyedIntent['to']

const whyWho =
  'I can’t tell who you are in monitoring, so I ask once. Your answer is used to assign alerts to you, and you can change it on my Home tab.'

/** Form that asks to whom an alert is assigned, or who the asker is in monitoring. */
export function assignModal(form: AssignForm): View {
  const { to, which, message, state, headline, people, containerId } = form
  const title = assignTitle(to)
  const top = alertHeading(headline)
  if (people.length === 0) return assignNoteModal(to, notListed(which.ks, containerId))

  if (to === 'me') {
    const who = personBlock('Which of these are you?', people, {})
    return formView(actView, title, state, [...top, formNote(whyWho), who], 'Assign to me')
  }

  const onlyMembers = { hint: 'Only members of the container can get it.' }
  const whom = personBlock('Assign to', people, onlyMembers)
  const element = textElement(textInput, message, { multiline: true })
  const text = input(textInput, 'Message', element, {
    hint: readByAll,
    isOptional: true,
  })
  return formView(actView, title, state, [...top, whom, text], 'Assign')
}

const assignTitle = (to: WantedOwner) => (to === 'me' ? 'Who are you?' : 'Assign alert')

/** A note in place of a form: while monitoring is asked, or if no form is needed or possible. @param sentence - Raw. */
export function assignNoteModal(to: WantedOwner, sentence: string): View {
  return noticeView(assignTitle(to), [section(escapeText(sentence))])
}

function notListed(ks: string, containerId: number): string {
  const why = `I can’t list the people of container ${containerId}: your token lacks READ there, or shows nobody.`
  return `${why} Use /alert assign ${quote(ks)} with a user ID of monitoring instead.`
}

function personBlock(
  label: string,
  people: readonly ContainerPerson[],
  words: { readonly hint?: string },
): InputBlock {
  const shared = { action_id: suggestPersonAction, placeholder: plain('Name') } as const
  // A plain menu holds a hundred people; a menu that suggests while somebody types has no limit.
  const element =
    people.length > limits.selectOptions
      ? ({ ...shared, type: 'external_select', min_query_length: 0 } as const)
      : ({ ...shared, type: 'static_select', options: suggestPeople('', people) } as const)
  return input(personInput, label, element, words)
}

/** Finds people by name or number. @param typed - Raw. */
export function suggestPeople(
  typed: string,
  people: readonly ContainerPerson[],
): PlainTextOption[] {
  const named = Map.groupBy(people, personName)
  return people
    .filter((one) => isMeant(typed, one))
    .map((one) => {
      const name = personName(one)
      const apart = (named.get(name) ?? []).length > 1 ? ` (user ${one.id})` : ''
      const mark = `${apart}${one.mute ? ' (muted)' : ''}`
      const label = cut(name, limits.optionText - mark.length) + mark
      return { text: literal(label), value: String(one.id) }
    })
    .sort((one, other) => one.text.text.localeCompare(other.text.text, 'en'))
}

/** A person’s name, short, on one line, without invisible characters; their number if nothing is left. Raw. */
export function personName({ id, name }: Pick<ContainerPerson, 'id' | 'name'>): string {
  return personNamed({ people: { [id]: name } }, id) ?? `user ${id}`
}

function alertHeading(headline: string): readonly KnownBlock[] {
  return describe({ headline: cut(headline.replaceAll(/\s+/g, ' ').trim(), 300) }).blocks
}

function formNote(text: string): KnownBlock {
  return note(literal(text))
}
