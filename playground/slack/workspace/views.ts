// Modals and Home tabs that are open, per person. Content must have been checked before it comes here.
import { limits } from '../check/limits.ts'
import { type Json, records, text } from '../model/json.ts'
import type { Channel, Suggested, View } from '../model/model.ts'
import type { Stamps } from '../model/stamps.ts'
import { chosenAs, controlsOf, initialValue } from '../model/view-state.ts'
import type { Changes } from './changes.ts'
import { fillIds } from './fill-ids.ts'

/** The workspace, as far as views need it. */
interface Surroundings {
  readonly changes: Pick<Changes, 'tell'>
  readonly stamps: Stamps
  readonly channels: ReadonlyMap<string, Channel>
}

/** The app, as far as a view names it. */
interface Installed {
  readonly teamId: string
  readonly appId: string
  readonly isOrgWide: boolean
  readonly enterprise: { readonly id: string } | undefined
  readonly bot: { readonly botId: string }
}

interface Opening {
  readonly userId: string
  readonly content: Json
  readonly channelId: string | undefined
}

export class Views {
  readonly #workspace: Surroundings
  /** Per person, the top view last. */
  readonly #stacks = new Map<string, View[]>()
  readonly #homes = new Map<string, View>()

  constructor(workspace: Surroundings) {
    this.#workspace = workspace
  }

  stack(userId: string): readonly View[] {
    return this.#stacks.get(userId) ?? []
  }

  top(userId: string): View | undefined {
    return this.stack(userId).at(-1)
  }

  home(userId: string): View | undefined {
    return this.#homes.get(userId)
  }

  find(id: string): View | undefined {
    return [...[...this.#stacks.values()].flat(), ...this.#homes.values()].find((view) => view.id === id)
  }

  /** Opens a modal in place of whatever this person had open. */
  open(opening: Opening): View {
    const view = this.#make(opening, 'modal', undefined)
    this.#stacks.set(opening.userId, [view])
    this.#tell(opening.userId)
    return view
  }

  /** Puts a view on top, or says that the stack is full. */
  push(opening: Opening): View | 'push_limit_reached' {
    const stack = this.#stacks.get(opening.userId) ?? []
    if (stack.length >= limits.viewStack) return 'push_limit_reached'
    const view = this.#make(opening, 'modal', stack.at(-1))
    this.#stacks.set(opening.userId, [...stack, view])
    this.#tell(opening.userId)
    return view
  }

  publish(userId: string, content: Json): View {
    const home = this.#homes.get(userId)
    if (home) {
      this.update(home, content)
      return home
    }
    const view = this.#make({ userId, content, channelId: undefined }, 'home', undefined)
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

  /** Takes the view off its stack; true when it was open. */
  close(view: View): boolean {
    const stack = this.#stacks.get(view.userId) ?? []
    if (!stack.includes(view)) return false
    this.#stacks.set(
      view.userId,
      stack.filter((other) => other !== view),
    )
    this.#tell(view.userId)
    return true
  }

  clear(userId: string): void {
    this.#stacks.delete(userId)
    this.#tell(userId)
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

  #make(opening: Opening, type: View['type'], previous: View | undefined): View {
    const id = this.#workspace.stamps.id('V')
    const view: View = {
      id,
      userId: opening.userId,
      type,
      hash: this.#hash(),
      content: this.#filled(opening.content),
      rootId: previous?.rootId ?? id,
      previousId: previous?.id,
      channelId: opening.channelId,
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
    return channel === undefined ? value : { ...value, selected_conversation: chosenAs(channel, userId) }
  }

  #hash(): string {
    return `${this.#workspace.stamps.ts().split('.')[0]}.${this.#workspace.stamps.secret().slice(0, 8)}`
  }

  #tell(userId: string): void {
    this.#workspace.changes.tell({ kind: 'view', userId })
  }
}

/** The view as Slack sends it to the app. */
export function viewPayload(view: View, workspace: Installed): Json {
  const { content } = view
  return {
    id: view.id,
    team_id: workspace.teamId,
    type: view.type,
    blocks: content.blocks,
    private_metadata: text(content.private_metadata) ?? '',
    callback_id: text(content.callback_id) ?? '',
    state: { values: stateValues(view) },
    hash: view.hash,
    title: content.title ?? null,
    clear_on_close: false,
    notify_on_close: false,
    close: content.close ?? null,
    submit: content.submit ?? null,
    previous_view_id: view.previousId ?? null,
    root_view_id: view.rootId,
    app_id: workspace.appId,
    external_id: '',
    app_installed_team_id: workspace.isOrgWide ? workspace.enterprise?.id : workspace.teamId,
    bot_id: workspace.bot.botId,
  }
}

/** Slack gives an empty list where nothing can be filled in. Source: slack-go/slack#943. */
function stateValues(view: View): Json | readonly [] {
  const values: Record<string, Record<string, Json>> = {}
  for (const { blockId, actionId } of controlsOf(view.content)) {
    const value = view.typed.get(blockId)?.get(actionId)
    if (value) values[blockId] = { ...values[blockId], [actionId]: value }
  }
  return Object.keys(values).length === 0 ? [] : values
}
