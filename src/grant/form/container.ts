// Container of the form: a number that is typed, or chosen among those that the person who fills it in has used or
// seen; what is suggested while they type, and its block. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import type { Suggestion } from '../../slack/guard/requests.ts'
import {
  type FieldIds,
  type FieldKind,
  type FieldWords,
  fieldBlock,
} from '../../slack/guard/suggesting-field.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, literal } from '../../slack/text/mrkdwn.ts'
import { readContainer } from '../line/line.ts'

/** A container that somebody may mean. */
export interface KnownContainer {
  readonly id: number
  /** As their own token showed it, raw; undefined while it isn't known. */
  readonly name?: string | undefined
}

/** What the form has of the container when it is drawn. */
export interface ContainerField {
  /** As it was typed, or the number that was chosen; raw. */
  readonly text: string
  readonly kind: FieldKind
  /** Its name for whoever fills it in, where that is known. */
  readonly name?: string | undefined
}

export const containerIds: FieldIds = {
  input: 'container',
  suggest: 'grant.container',
}

const words: FieldWords = {
  label: 'Container',
  hints: {
    typed: 'The container’s number.',
    suggests: 'Type its number, or choose one that you’ve used or seen.',
  },
  placeholder: 'Number or name',
}

const mostTyped = 300

export function containerBlock({ text, kind, name }: ContainerField): KnownBlock {
  const id = readContainer(text)
  // A menu holds only what can be chosen in it: whoever has typed something else sees that.
  const shown = text !== '' && id === undefined ? 'typed' : kind
  const option = id === undefined ? undefined : optionOf({ id, name })
  return fieldBlock(containerIds, shown, words, { text, option, most: mostTyped })
}

function optionOf(container: KnownContainer): PlainTextOption {
  return { text: literal(labelOf(container)), value: String(container.id) }
}

/** “Customer 1 (12)”: the number is never cut off. */
function labelOf({ id, name }: KnownContainer): string {
  if (name === undefined || name.trim() === '') return String(id)
  const number = ` (${id})`
  return cut(name.trim(), limits.optionText - number.length) + number
}

/** Beside a number that is typed. */
const mostSuggested = 20

/**
 * What to suggest for what is typed so far: a typed number first, whether it is known or not, then those whose number or
 * name it begins.
 * @param typed - Raw. Each of its words begins a word of the name, or the number.
 * @param known - The likeliest first.
 */
export function containersMeant(typed: string, known: readonly KnownContainer[]): readonly Suggestion[] {
  const number = readContainer(typed.trim())
  const wanted = wordsOf(typed)
  const itself = known.find(({ id }) => id === number)
  const others = known.filter((one) => one.id !== number && isMeant(one, wanted)).slice(0, mostSuggested)
  const first = number === undefined ? [] : [itself ?? { id: number }]
  return [...first, ...others].map((one) => ({ label: labelOf(one), value: String(one.id) }))
}

function isMeant({ id, name = '' }: KnownContainer, wanted: readonly string[]): boolean {
  const own = [String(id), ...wordsOf(name)]
  return wanted.every((word) => own.some((one) => one.startsWith(word)))
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
