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

const placeholders: Readonly<Record<string, string>> = {
  users_select: 'Select a person',
  conversations_select: 'Select a conversation',
  channels_select: 'Select a channel',
}

/** What stands in an empty menu. */
export function placeholderOf(element: Json): string {
  const kind = (text(element.type) ?? '').replace(/^multi_/, '')
  return words(element.placeholder) ?? placeholders[kind] ?? 'Select an option'
}

export function offeredBy({ element, given }: ElementProps): readonly ChoiceGroup[] {
  const { people, conversations } = given.offers
  switch ((text(element.type) ?? '').replace(/^multi_/, '')) {
    case 'users_select':
      return [{ label: undefined, choices: people.map(({ id, name }) => ({ value: id, label: name })) }]
    case 'channels_select':
      return [
        {
          label: undefined,
          choices: conversations.filter(({ kind }) => kind === 'public').map(conversation),
        },
      ]
    case 'conversations_select':
      return [
        {
          label: undefined,
          choices: conversations.filter((one) => passes(one.kind, element)).map(conversation),
        },
      ]
    default:
      return options(element)
  }
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
