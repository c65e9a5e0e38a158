// Options that a menu offers: its own, people, or conversations. Pure.
import { type Json, list, record, records, text } from '../../../slack/model/json.ts'
import type { ElementProps } from '../base/block.ts'
import type { Offers } from '../base/use.ts'
import { words } from '../text/text.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** What stands in an empty menu. */
export function placeholderOf(element: Json): string {
  const isConversation = element.type === 'conversations_select'
  return (
    words(element.placeholder) ?? (isConversation ? 'Select a conversation' : 'Select an option')
  )
}

export function offeredBy({ element, given }: ElementProps): readonly Choice[] {
  if (element.type !== 'conversations_select') return records(element.options).map(choice)
  return (given.offers ?? []).filter(({ kind }) => passes(kind, element)).map(conversation)
}

type Conversation = Offers[number]

function conversation({ id, name, kind }: Conversation): Choice {
  return { value: id, label: kind === 'im' ? name : `#${name}` }
}

function passes(kind: Conversation['kind'], element: Json): boolean {
  const { include } = record(element.filter)
  return include === undefined || list(include).includes(kind)
}

function choice(option: Json): Choice {
  return { value: text(option.value) ?? '', label: words(option.text) ?? '' }
}
