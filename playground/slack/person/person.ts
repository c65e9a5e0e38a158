// A person at their Slack client: types, presses, fills in, and waits to see. Tests read like these names.

import type { Events } from '../deliver/events.ts'
import type { Interactions } from '../deliver/interactions.ts'
import { isStranger } from '../methods/people.ts'
import type { Json } from '../model/json.ts'
import type { Channel, Delivery, Member } from '../model/model.ts'
import { type Control, pressedAction } from '../model/view-state.ts'
import { escapeCommandText } from '../text/command-text.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { clientErrors, type Fields, readField } from './fill.ts'
import { type SeenMessage, SeenModal } from './seen.ts'
import { SeenUnfurl } from './seen-unfurl.ts'
import { Writer } from './writer.ts'

export class Person extends Writer {
  readonly #interactions: Interactions

  constructor(member: Member, workspace: Workspace, interactions: Interactions, events: Events) {
    super(member, workspace, events)
    this.#interactions = interactions
  }

  /**
   * Types a slash command. Resolves when the bot has acked it.
   *
   * @param options.raw - Leave the text as it is: no `<@U…|name>`, `<mailto:…>`, `&amp;`.
   */
  async types(
    line: string,
    channel: Channel,
    options: { readonly raw?: boolean } = {},
  ): Promise<Delivery> {
    const [, command, rest = ''] = /^(\/\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? []
    if (command === undefined) throw new Error(`Not a slash command: ${line}`)
    if (this.member.isDeleted) throw new Error(`${this.name} is deactivated`)
    if (!channel.members.has(this.id)) throw new Error(`${this.name} is not in #${channel.name}`)
    if (isStranger(this.member, this.workspace)) {
      throw new Error(`${command} is not a command in the workspace of ${this.name}`)
    }
    const { members, channels } = this.workspace
    const said = options.raw ? rest : escapeCommandText(rest, members.values(), channels.values())
    return this.#interactions.command(command, said, this.member, channel)
  }

  /** Uses a shortcut: of a message when one is given, otherwise the global one. */
  usesShortcut(callbackId: string, message?: SeenMessage): Promise<Delivery> {
    if (!message) return this.#interactions.globalShortcut(callbackId, this.member)
    const channel = this.channelOf(message.message)
    return this.#interactions.messageShortcut(callbackId, message.message, this.member, channel)
  }

  /**
   * Presses the button (or overflow option) with this label. Resolves when acked.
   *
   * @param where - Default: the open modal, else the newest message that has it.
   * @param options.confirm - Must be true when the button asks for confirmation, and only then.
   */
  async presses(
    label: string,
    where: SeenMessage | SeenUnfurl | SeenModal | undefined = this.#placeOf(label),
    options: { readonly confirm?: boolean } = {},
  ): Promise<Delivery> {
    const control = this.#button(label, where)
    const asks = control.element.confirm !== undefined
    if (asks && options.confirm !== true)
      throw new Error(`"${label}" asks for confirmation: { confirm: true }`)
    if (!asks && options.confirm !== undefined)
      throw new Error(`"${label}" asks for no confirmation`)
    return this.acts(where, pressedAction(control, where?.optionOf(control.element, label)))
  }

  /** Presses a button that asks for confirmation, and then says no. The bot hears nothing. */
  declines(label: string, where: SeenMessage | SeenModal | undefined = this.#placeOf(label)): void {
    const { element } = this.#button(label, where)
    if (element.confirm === undefined) throw new Error(`"${label}" asks for no confirmation`)
  }

  /**
   * Fills in the open modal, by labels. Inputs that act at once are sent to the bot, and what it makes of that is waited
   * for: the form may be another one then.
   */
  async fillsIn(fields: Fields, modal: SeenModal = this.#openModal()): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      // What was chosen before may bring it.
      const control = await this.workspace.changes.until(
        () => modal.inputs.find((one) => one.label === label),
        30_000,
        () => `There is no input "${label}", but: ${modal.labels.join(', ')}`,
      )
      if (control.type === 'external_select' && typeof value === 'string') {
        await this.suggest(label, value, modal)
      }
      const held = readField(modal, control, value)
      this.workspace.views.type(modal.view, control.blockId, control.actionId, held)
      if (control.block.dispatch_action === true) {
        const ids = { block_id: control.blockId, action_id: control.actionId }
        await this.acts(modal, { ...held, ...ids })
        await this.workspace.changes.idle()
      }
    }
  }

  /**
   * Types into a menu that asks the bot, by its label, and leaves it at that.
   *
   * @returns What it shows then, as it reads.
   */
  async suggest(
    label: string,
    typed: string,
    modal: SeenModal = this.#openModal(),
  ): Promise<string[]> {
    const control = modal.inputs.find((one) => one.label === label)
    if (control?.type !== 'external_select') throw new Error(`"${label}" suggests nothing`)
    await this.typesInto(modal, control, typed)
    return modal.choices(label)
  }

  /** The same of a menu that stands there. Resolves when it shows what there is. */
  async typesInto({ view }: SeenModal, control: Control, typed: string): Promise<void> {
    await this.#interactions.suggest(view, control, typed, this.member)
  }

  /**
   * Presses submit of the top view. Resolves when the bot has acked it.
   *
   * @throws Error "Not sent: …" when Slack's client refuses the values; `modal.errors` shows them then.
   */
  async submits(options: { readonly fields?: Fields } = {}): Promise<Delivery> {
    const modal = this.#openModal()
    if (modal.submitLabel === undefined) throw new Error(`"${modal.title}" has no submit button`)
    if (options.fields) await this.fillsIn(options.fields, modal)
    const errors = clientErrors(modal)
    this.workspace.views.complain(modal.view, errors)
    if (errors.size > 0) {
      const said = Object.entries(modal.errors).map(([label, sentence]) => `${label}: ${sentence}`)
      throw new Error(`Not sent: ${said.join(' ')}`)
    }
    return this.#interactions.submit(modal.view, this.member)
  }

  /** Closes the top view. Bots that ask to be told of it are not told. */
  async closes(): Promise<void> {
    this.workspace.views.close(this.#openModal().view)
  }

  /** Sends one action, of a control that stands there. Resolves when acked. */
  acts(where: SeenMessage | SeenUnfurl | SeenModal | undefined, action: Json): Promise<Delivery> {
    if (where instanceof SeenModal)
      return this.#interactions.actOnView(where.view, action, this.member)
    if (!where?.message) throw new Error(`${this.name} has nothing to act on`)
    const { message } = where
    const unfurl = where instanceof SeenUnfurl ? where.unfurl : undefined
    return this.#interactions.actOnMessage(
      message,
      action,
      this.member,
      this.channelOf(message),
      unfurl,
    )
  }

  #button(label: string, where: SeenMessage | SeenUnfurl | SeenModal | undefined): Control {
    const isGone =
      where instanceof SeenModal
        ? where.view.type === 'modal' && !where.isOpen
        : where?.message?.isDeleted
    const control = isGone ? undefined : where?.control(label)
    if (control) return control
    const seen = where ? where.plain : this.screen()
    throw new Error(
      `${this.name} sees no button "${label}"${isGone ? ', it is gone' : ''}. Seen:\n${seen}`,
    )
  }

  #placeOf(label: string): SeenMessage | SeenModal | undefined {
    if (this.modal) return this.modal
    const channels = [...this.workspace.channels.values()]
    const messages = channels
      .flatMap((channel) =>
        this.messages(channel).flatMap((message) => [message, ...message.thread]),
      )
      .sort((a, b) => Number(a.ts) - Number(b.ts))
    return messages.findLast((message) => message.control(label) !== undefined)
  }

  #openModal(): SeenModal {
    const { modal } = this
    if (!modal) throw new Error(`${this.name} has no modal open. ${this.whole(undefined)}`)
    return modal
  }
}
