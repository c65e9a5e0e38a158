// Modals and Home tabs that are open, per person. Content must have been checked before it comes here.
import { type Json, records, text } from '../model/json.ts'
import type { Channel, Suggested, View } from '../model/model.ts'
import type { Stamps } from '../model/stamps.ts'
import { chosenAs, controlsOf, initialValue } from '../model/view-state.ts'
import type { Changes } from './changes.ts'
import { fillIds } from './fill-ids.ts'

/** The workspace, as far as views need it. */
interface Surroundings {
  readonly changes: Changes
  readonly stamps: Stamps
  readonly channels: ReadonlyMap<string, Channel>
}

interface Opening {
  readonly userId: string
  readonly content: Json
  readonly channelId: string | undefined
}

export class Views {
  readonly #workspace: Surroundings
  readonly #modals = new Map<string, View>()
  readonly #homes = new Map<string, View>()

  constructor(workspace: Surroundings) {
    this.#workspace = workspace
  }

  /** The modal that this person has open. */
  modal(userId: string): View | undefined {
    return this.#modals.get(userId)
  }

  home(userId: string): View | undefined {
    return this.#homes.get(userId)
  }

  find(id: string): View | undefined {
    return [...this.#modals.values(), ...this.#homes.values()].find((view) => view.id === id)
  }

  /** Opens a modal in place of whatever this person had open. */
  open(opening: Opening): View {
    const view = this.#make(opening, 'modal')
    this.#modals.set(opening.userId, view)
    this.#tell(opening.userId)
    return view
  }

  publish(userId: string, content: Json): View {
    const home = this.#homes.get(userId)
    if (home) {
      this.update(home, content)
      return home
    }
    const view = this.#make({ userId, content, channelId: undefined }, 'home')
    this.#homes.set(userId, view)
    this.#tell(userId)
    return view
  }

  /** What was typed stays with its block id, action id and kind of element, also over a view without them. */
  update(view: View, content: Json): void {
    view.content = this.#filled(content)
    for (const { type, blockId, actionId } of controlsOf(view.content)) {
      const block = view.typed.get(blockId)
      if (block?.get(actionId)?.type !== type) block?.delete(actionId)
    }
    view.suggested.clear()
    view.hash = this.#hash()
    view.errors = new Map()
    view.trouble = undefined
    this.#fillInitials(view)
    this.#tell(view.userId)
  }

  /** Does nothing where it is not open any more. */
  close(view: View): void {
    if (this.modal(view.userId) !== view) return
    this.#modals.delete(view.userId)
    this.#tell(view.userId)
  }

  type(view: View, blockId: string, actionId: string, value: Json): void {
    const block = view.typed.get(blockId) ?? new Map<string, Json>()
    block.set(actionId, this.#held(view, value))
    view.typed.set(blockId, block)
    this.#tell(view.userId)
  }

  suggest(view: View, key: string, suggested: Suggested): void {
    view.suggested.set(key, suggested)
    this.#tell(view.userId)
  }

  complain(view: View, errors: ReadonlyMap<string, string>, trouble?: string): void {
    view.errors = errors
    view.trouble = trouble
    this.#tell(view.userId)
  }

  #make(opening: Opening, type: View['type']): View {
    const view: View = {
      ...opening,
      id: this.#workspace.stamps.id('V'),
      type,
      hash: this.#hash(),
      content: this.#filled(opening.content),
      typed: new Map(),
      suggested: new Map(),
      errors: new Map(),
      trouble: undefined,
    }
    this.#fillInitials(view)
    return view
  }

  #filled(content: Json): Json {
    return { ...content, blocks: fillIds(records(content.blocks), this.#workspace.stamps) }
  }

  #fillInitials(view: View): void {
    for (const { blockId, actionId, element } of controlsOf(view.content)) {
      const block = view.typed.get(blockId) ?? new Map<string, Json>()
      const initial = initialValue(element, view.channelId)
      if (!block.has(actionId)) block.set(actionId, this.#held(view, initial))
      view.typed.set(blockId, block)
    }
  }

  /** Conversations as menus name them. */
  #held({ userId }: View, value: Json): Json {
    const channel = this.#workspace.channels.get(text(value.selected_conversation) ?? '')
    return channel === undefined
      ? value
      : { ...value, selected_conversation: chosenAs(channel, userId) }
  }

  #hash(): string {
    return `${this.#workspace.stamps.ts().split('.')[0]}.${this.#workspace.stamps.secret().slice(0, 8)}`
  }

  #tell(userId: string): void {
    this.#workspace.changes.tell({ kind: 'view', userId })
  }
}
