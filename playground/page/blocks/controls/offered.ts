// Options that a menu offers: its own, people, or conversations. Pure.
import { type Json, list, record, records, text } from '../../../slack/model/json.ts'
import type { ElementProps } from '../base/block.ts'
import { words } from '../text/text.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

export interface ChoiceGroup {
  /** Undefined for choices outside of groups. */
  readonly label: string | undefined
  readonly choices: readonly Choice[]
}

/** What stands in an empty menu. */
export function placeholderOf(element: Json): string {
  const isConversation = element.type === 'conversations_select'
  return words(element.placeholder) ?? (isConversation ? 'Select a conversation' : 'Select an option')
}

export function offeredBy({ element, given }: ElementProps): readonly ChoiceGroup[] {
  if (element.type !== 'conversations_select') return options(element)
  const offered = given.offers.conversations.filter(({ kind }) => passes(kind, element))
  return [{ label: undefined, choices: offered.map(conversation) }]
}

type Conversation = ElementProps['given']['offers']['conversations'][number]

function conversation({ id, name, kind }: Conversation): Choice {
  return { value: id, label: kind === 'im' ? name : `#${name}` }
}

/** The one direct message here is with the bot. */
function passes(kind: Conversation['kind'], element: Json): boolean {
  const { include, exclude_bot_users: withoutBots } = record(element.filter)
  if (kind === 'im' && withoutBots === true) return false
  return include === undefined || list(include).includes(kind)
}

function options(element: Json): readonly ChoiceGroup[] {
  const own = records(element.options)
  const groups = records(element.option_groups)
  return [
    ...(own.length > 0 ? [{ label: undefined, choices: own.map(choice) }] : []),
    ...groups.map((group) => ({ label: words(group.label), choices: records(group.options).map(choice) })),
  ]
}

function choice(option: Json): Choice {
  return { value: text(option.value) ?? '', label: words(option.text) ?? '' }
}
