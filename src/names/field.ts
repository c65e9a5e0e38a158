// Draws and reads the container field of forms, and suggests containers for it.
import type { InputBlock, PlainTextOption } from '@slack/types'
import type { House } from '../house.ts'
import type { Filled, Typing } from '../slack/guard/requests.ts'
import { input } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { limits, literal, plain } from '../slack/text/mrkdwn.ts'
import { readId } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { containersOf, type KnownContainer } from './containers.ts'
import { nameAndNumber } from './names.ts'

export const suggestContainerAction = 'grant.container'
const fieldId = 'container'

/** How long a form, or somebody who types in its field, waits for the names of containers. */
const knownMs = 500

export async function knownTo(house: House, owner: SlackUser): Promise<readonly KnownContainer[]> {
  return (await inTime(containersOf(house, owner), knownMs)) ?? []
}

export async function suggestContainers(
  house: House,
  typing: Typing,
): Promise<readonly PlainTextOption[]> {
  return containersMeant(typing.typed, await knownTo(house, typing.asker))
}

/** A menu of containers, which takes any typed number, too. @param chosen - Chosen when the form opens. */
export function containerBlock(chosen?: KnownContainer): InputBlock {
  const element = {
    type: 'external_select' as const,
    action_id: suggestContainerAction,
    min_query_length: 0,
    placeholder: plain('Number or name'),
    ...(chosen && { initial_option: optionFor(chosen) }),
  }

  const hint = 'Type its number, or choose one that you’ve used or seen.'

  return input(fieldId, 'Container', element, { hint })
}

/** @returns `input`: the field’s block id, to show a problem there. `containerId`: undefined if none was chosen. */
export function readContainerField(filled: Filled) {
  return { input: fieldId, containerId: readId(filled.choice(fieldId) ?? '') }
}

/** “Customer 1 (12)”, or the number. */
function optionFor(one: KnownContainer): PlainTextOption {
  const number = String(one.id)
  return { text: literal(nameAndNumber(one) ?? number), value: number }
}

/**
 * Options for what was typed: first the container with the typed number, known or not; then known containers that match,
 * in the order of `known`.
 * @param typed - Raw, trimmed.
 */
export function containersMeant(
  typed: string,
  known: readonly KnownContainer[],
): readonly PlainTextOption[] {
  const number = readId(typed)
  const itself = known.find(({ id }) => id === number)
  const others = known.filter((one) => one.id !== number && isMeant(typed, one))
  const first = number === undefined ? [] : [itself ?? { id: number }]

  return [...first, ...others].slice(0, limits.selectOptions).map(optionFor)
}

/** True if the container’s number, or a word of its name, begins with each typed word. */
export function isMeant(typed: string, { id, name = '' }: KnownContainer): boolean {
  const own = [String(id), ...wordsInName(name)]
  return wordsInName(typed).every((word) => own.some((one) => one.startsWith(word)))
}

function wordsInName(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
