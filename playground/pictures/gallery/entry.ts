// Entries of the gallery: kinds of messages, forms and tabs, each with its name and when it is shown.
import type { Home, Message, View } from '../../../src/slack/outbound/message.ts'
import { type Json, record, records } from '../../slack/model/json.ts'

export interface Entry {
  /** Unique in the whole gallery. */
  readonly name: string
  /** One sentence. */
  readonly when: string
  readonly shows: Shown
}

export type Shown = ShownMessage | ShownView

export interface ShownMessage {
  readonly kind: 'message'
  readonly text: string
  readonly blocks: readonly Json[]
  /** Only one person sees it. */
  readonly isPrivate: boolean
  /** It hangs below this link, which somebody posted. */
  readonly belowLink?: string
}

export interface ShownView {
  readonly kind: 'modal' | 'home'
  readonly view: Json
  /** What was typed into it since: block id → text. */
  readonly typed: Readonly<Record<string, string>>
  /** What stands at inputs: block id → sentence. */
  readonly errors: Readonly<Record<string, string>>
}

/** Part of the gallery. */
export interface Room {
  readonly title: string
  readonly entries: readonly Entry[]
}

function shownMessage({ text, blocks }: Message, isPrivate: boolean): ShownMessage {
  return { kind: 'message', text, blocks: records(blocks), isPrivate }
}

/** A message that everybody in the conversation sees, or in Bellhop's direct messages. */
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

/** @param how - What stands in its inputs and at them, by block id. */
export function modal(
  name: string,
  when: string,
  view: View,
  how: Partial<Pick<ShownView, 'typed' | 'errors'>> = {},
): Entry {
  return { name, when, shows: { kind: 'modal', view: record(view), typed: {}, errors: {}, ...how } }
}

export function homeTab(name: string, when: string, home: Home): Entry {
  return { name, when, shows: { kind: 'home', view: record(home), typed: {}, errors: {} } }
}
