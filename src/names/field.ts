// The field for a container, in whatever form, and what it suggests to whoever types into it.
import type { InputBlock, PlainTextOption } from '@slack/types'
import type { House } from '../house.ts'
import type { Filled, Typing } from '../slack/guard/requests.ts'
import { input } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { literal, plain } from '../slack/text/mrkdwn.ts'
import { readId } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { containersToSuggest, type KnownContainer } from './containers.ts'
import { containerNamed } from './names.ts'

export const suggestContainerAction = 'grant.container'
const fieldId = 'container'

/** A form does without what takes longer, and so does whoever types into it: a number needs no name. */
const knownMs = 500
/** Of the containers that somebody used, so many can be found by what they type. */
const mostContainers = 100

export async function knownTo(house: House, owner: SlackUser): Promise<readonly KnownContainer[]> {
  return (await inTime(containersToSuggest(house, owner, mostContainers), knownMs)) ?? []
}

export async function suggestContainers(house: House, typing: Typing): Promise<readonly PlainTextOption[]> {
  return containersMeant(typing.typed, await knownTo(house, typing.asker))
}

/** A menu that takes any number. @param chosen - Stands in it when the form opens. */
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

/** The field as it was filled in: its block id, for a problem there, and the number, where it is one. */
export function readContainerField(filled: Filled) {
  return { input: fieldId, containerId: readId(filled.choice(fieldId) ?? '') }
}

/** “Customer 1 (12)”, or the number. */
function optionFor(one: KnownContainer): PlainTextOption {
  const number = String(one.id)
  return { text: literal(containerNamed(one) ?? number), value: number }
}

/**
 * Containers to suggest for what is typed so far: a typed number first, whether it is known or not, then those whose number
 * or name it begins.
 * @param typed - Raw, trimmed.
 * @param known - The likeliest first.
 */
export function containersMeant(typed: string, known: readonly KnownContainer[]): readonly PlainTextOption[] {
  const number = readId(typed)
  const itself = known.find(({ id }) => id === number)
  const others = known.filter((one) => one.id !== number && isMeant(typed, one))
  const first = number === undefined ? [] : [itself ?? { id: number }]
  return [...first, ...others].map(optionFor)
}

/** Whether each word that was typed begins a word of the name, or the number. */
export function isMeant(typed: string, { id, name = '' }: KnownContainer): boolean {
  const own = [String(id), ...wordsOf(name)]
  return wordsOf(typed).every((word) => own.some((one) => one.startsWith(word)))
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
