// The field for a container, in whatever form: a menu that suggests those that the person who fills it in has used or seen,
// and takes any number. Pure.
import type { InputBlock, PlainTextOption } from '@slack/types'
import type { KnownContainer } from '../../names/containers.ts'
import type { Filled } from '../../slack/guard/requests.ts'
import { input } from '../../slack/outbound/message.ts'
import { cut, limits, literal, plain } from '../../slack/text/mrkdwn.ts'
import { readContainer } from '../line/line.ts'

/** Block id. */
const containerInput = 'container'
/** Action id by which Slack asks for suggestions. */
export const suggestContainerAction = 'grant.container'

/** @param chosen - Stands in it when the form opens. */
export function containerBlock(chosen?: KnownContainer): InputBlock {
  const element = {
    type: 'external_select' as const,
    action_id: suggestContainerAction,
    min_query_length: 0,
    placeholder: plain('Number or name'),
    ...(chosen && { initial_option: optionFor(chosen) }),
  }
  const hint = 'Type its number, or choose one that you’ve used or seen.'
  return input(containerInput, 'Container', element, { hint })
}

/** The field as it was filled in: its block id, for a problem there, and the number, where it is one. */
export function readContainerField(filled: Filled): {
  readonly input: string
  readonly containerId: number | undefined
} {
  return { input: containerInput, containerId: readContainer(filled.choice(containerInput) ?? '') }
}

/** “Customer 1 (12)”: the number is never cut off. */
function optionFor({ id, name = '' }: KnownContainer): PlainTextOption {
  const number = ` (${id})`
  const named = cut(name.trim(), limits.optionText - number.length) + number
  return { text: literal(name.trim() === '' ? String(id) : named), value: String(id) }
}

/** Beside a number that is typed. */
const mostSuggested = 20

/**
 * What to suggest for what is typed so far: a typed number first, whether it is known or not, then those whose number or
 * name it begins.
 * @param typed - Raw.
 * @param known - The likeliest first.
 */
export function containersMeant(typed: string, known: readonly KnownContainer[]): readonly PlainTextOption[] {
  const number = readContainer(typed.trim())
  const itself = known.find(({ id }) => id === number)
  const others = known.filter((one) => one.id !== number && isMeant(typed, one)).slice(0, mostSuggested)
  const first = number === undefined ? [] : [itself ?? { id: number }]
  return [...first, ...others].map(optionFor)
}

/** Whether each word that was typed begins a word of the name, or the number. */
export function isMeant(typed: string, { id, name = '' }: KnownContainer): boolean {
  const own = [String(id), ...wordsOf(name)]
  return wordsOf(typed).every((word) => own.some((one) => one.startsWith(word)))
}

function wordsOf(text: string): readonly string[] {
  const plainText = text.normalize('NFKC').toLowerCase()
  return plainText.match(/[\p{L}\p{N}]+/gu) ?? []
}
