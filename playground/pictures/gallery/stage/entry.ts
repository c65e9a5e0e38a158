// Entries of the gallery: everything that the bot can say, each with its name and when it is said.
import type { Home, Message, View } from '../../../../src/slack/outbound/message.ts'
import { type Json, record, records, text } from '../../../slack/model/json.ts'
import { SeenMessage, type SeenModal } from '../../../slack/person/seen.ts'
import type { Stage } from './stage.ts'

export interface Entry {
  /** Unique in the whole gallery. */
  readonly name: string
  /** One sentence. */
  readonly when: string
  /** A flow has a stage of its own. */
  readonly shows: Shown | Flow
  readonly isOnPhone?: boolean
  /** Nothing but a line, or part of a message that has a picture: told in words. */
  readonly isLine?: boolean
  /** Further down it is like another one: its picture ends there. */
  readonly isCutOff?: boolean
}

export type Flow = (stage: Stage) => Promise<Shown>

export type Shown = ShownMessage | ShownModal | ShownHome

export interface ShownMessage {
  readonly kind: 'message'
  readonly text: string
  readonly blocks: readonly Json[]
  /** Only one person sees it. */
  readonly isPrivate: boolean
  /** It hangs below this link, which somebody posted. */
  readonly belowLink?: string
}

export interface ShownModal {
  readonly kind: 'modal'
  readonly view: Json
  /** What was typed into it since: block id → text. */
  readonly typed: Readonly<Record<string, string>>
  /** What stands at inputs: block id → sentence. */
  readonly errors: Readonly<Record<string, string>>
}

/** The Home tab of one person. */
export interface ShownHome {
  readonly kind: 'home'
  readonly view: Json
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

/** What hangs below a link that somebody posted. */
export function belowLink(name: string, when: string, link: string, preview: Message): Entry {
  return { name, when, shows: { ...shownMessage(preview, false), belowLink: link } }
}

/** A message that only the person who asked sees. */
export function forYou(name: string, when: string, message: Message): Entry {
  return { name, when, shows: shownMessage(message, true) }
}

/** A message in Bellhop's direct messages: it is an ordinary one, as nobody else is there. */
export function directly(name: string, when: string, message: Message): Entry {
  return { name, when, shows: shownMessage(message, false) }
}

/** @param how - What stands in its inputs and at them, by block id. */
export function modal(
  name: string,
  when: string,
  view: View,
  how: Partial<Pick<ShownModal, 'typed' | 'errors'>> = {},
): Entry {
  return { name, when, shows: { kind: 'modal', view: record(view), typed: {}, errors: {}, ...how } }
}

export function homeTab(name: string, when: string, home: Home): Entry {
  return { name, when, shows: { kind: 'home', view: record(home) } }
}

/** The same as a phone shows it. */
export function onPhone(entry: Entry): Entry {
  return { ...entry, isOnPhone: true }
}

/** The same without the rest of a long form, which is pictured whole elsewhere. */
export function cutOff(entry: Entry): Entry {
  return { ...entry, isCutOff: true }
}

/** The same in words, not as a picture. */
export function asLine(entry: Entry): Entry {
  return { ...entry, isLine: true }
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
    const { content, errors } = seen.view
    return { kind: 'modal', view: content, typed: typedInto(seen), errors: Object.fromEntries(errors) }
  }
  const { blocks, isEphemeral } = seen
  return {
    kind: 'message',
    text: withFixedReference(seen.text),
    blocks: blocks.map(fixed),
    isPrivate: isEphemeral,
  }
}

function typedInto({ view, inputs }: SeenModal): Readonly<Record<string, string>> {
  const texts = inputs.flatMap(({ blockId, actionId }): [string, string][] => {
    const typed = text(view.typed.get(blockId)?.get(actionId)?.value)
    return typed === undefined ? [] : [[blockId, typed]]
  })
  return Object.fromEntries(texts)
}

/** References are made by chance; in the gallery they stay the same. */
function withFixedReference(text: string): string {
  return text.replaceAll(/(?<=[Rr]eference )[0-9a-f]{8}/g, '5f0c2a9e')
}

function fixed(block: Json): Json {
  return record(JSON.parse(withFixedReference(JSON.stringify(block))))
}
