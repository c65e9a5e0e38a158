// What the gallery shows: everything that the bot can say, each with its name and when it is said.
import type { Message, View } from '../../../slack/message.ts'
import { type Json, record, records } from '../../slack/json.ts'
import type { SeenModal } from '../../slack/seen.ts'
import { SeenMessage } from '../../slack/seen.ts'
import type { Stage } from './stage.ts'

export interface Entry {
  /** Unique in the whole gallery. */
  readonly name: string
  /** One sentence. */
  readonly when: string
  /** A flow has a stage of its own. */
  readonly shows: Shown | Flow
}

export type Flow = (stage: Stage) => Promise<Shown>

export type Shown = ShownMessage | ShownModal

export interface ShownMessage {
  readonly kind: 'message'
  readonly text: string
  readonly blocks: readonly Json[]
  /** Only one person sees it. */
  readonly isPrivate: boolean
}

export interface ShownModal {
  readonly kind: 'modal'
  readonly view: Json
  /** What stands at inputs: block id → sentence. */
  readonly errors: Readonly<Record<string, string>>
  /** Pictured at its full height, where Slack would scroll. */
  readonly isWhole: boolean
}

/** Part of the gallery. */
export interface Room {
  readonly title: string
  readonly groups: readonly { readonly title: string; readonly entries: readonly Entry[] }[]
}

function shownMessage({ text, blocks }: Message, isPrivate: boolean): ShownMessage {
  return { kind: 'message', text, blocks: records(blocks), isPrivate }
}

/** A message that everybody in the channel sees. */
export function forAll(name: string, when: string, message: Message): Entry {
  return { name, when, shows: shownMessage(message, false) }
}

/** A message that only the person who asked sees. */
export function forYou(name: string, when: string, message: Message): Entry {
  return { name, when, shows: shownMessage(message, true) }
}

/** @param how.errors - Sentences at inputs, by block id. */
export function modal(
  name: string,
  when: string,
  view: View,
  how: Partial<Pick<ShownModal, 'errors' | 'isWhole'>> = {},
): Entry {
  return { name, when, shows: { kind: 'modal', view: record(view), errors: {}, isWhole: false, ...how } }
}

/** What somebody sees after all this happened to the real bot. */
export function flow(
  name: string,
  when: string,
  happens: (stage: Stage) => Promise<SeenMessage | SeenModal>,
): Entry {
  return { name, when, shows: async (stage) => shownOf(await happens(stage)) }
}

function shownOf(seen: SeenMessage | SeenModal): Shown {
  if (!(seen instanceof SeenMessage)) {
    return {
      kind: 'modal',
      view: seen.view.content,
      errors: Object.fromEntries(seen.view.errors),
      isWhole: false,
    }
  }
  const { text, blocks, isEphemeral } = seen
  return {
    kind: 'message',
    text: withFixedReference(text),
    blocks: blocks.map(fixed),
    isPrivate: isEphemeral,
  }
}

/** References are made by chance; in the gallery they stay the same. */
function withFixedReference(text: string): string {
  return text.replaceAll(/(?<=[Rr]eference )[0-9a-f]{8}/g, '5f0c2a9e')
}

function fixed(block: Json): Json {
  return record(JSON.parse(withFixedReference(JSON.stringify(block))))
}
