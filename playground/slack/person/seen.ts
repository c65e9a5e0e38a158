// Messages and modals as a person sees them: live handles. They always show the present content.

import { type Json, records, text } from '../model/json.ts'
import type { Channel, Member, Message, View } from '../model/model.ts'
import { type Control, controlsOf, optionsOf } from '../model/view-state.ts'
import { plainBlocks, plainMrkdwn, plainText } from '../text/plain.ts'
import { plainAttachment } from '../text/plain-attachment.ts'
import { isSeenBy } from '../workspace/eyes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { Seen } from './seen-controls.ts'
import { SeenUnfurl } from './seen-unfurl.ts'
import { shownValue } from './shown-value.ts'

/** One message, as one person sees it. */
export class SeenMessage extends Seen {
  /** The stored message: text and blocks as sent, pings, how it came. */
  readonly message: Message

  constructor(message: Message, viewer: Member, workspace: Workspace) {
    super(workspace, viewer)
    this.message = message
  }

  get blocks(): readonly Json[] {
    return this.message.blocks
  }

  /** Top-level text as sent: what notifications and screen readers say. */
  get text(): string {
    return this.message.text
  }

  /** The whole message as it reads. Blocks stand in for the text when there are any; what hangs on it follows. */
  get plain(): string {
    const { blocks, text: source, attachments } = this.message
    const { workspace } = this
    const said =
      blocks.length === 0 ? plainMrkdwn(source, workspace) : plainBlocks(blocks, workspace)
    const hung = [
      ...attachments.map((attachment) => plainAttachment(attachment, workspace)),
      ...this.unfurls.map(({ plain }) => plain),
    ]
    return hung.length === 0 ? said : [said, ...hung].filter((part) => part !== '').join('\n')
  }

  /** What hangs beneath its links, in the order it was attached. */
  get unfurls(): SeenUnfurl[] {
    return this.message.unfurls.map(
      (one) => new SeenUnfurl(one, this.message, this.viewer, this.workspace),
    )
  }

  get isEphemeral(): boolean {
    return this.message.ephemeralFor !== undefined
  }

  /** A reply that stands at the foot of the channel as well. */
  get isBroadcast(): boolean {
    return this.message.broadcast
  }

  get isDeleted(): boolean {
    return this.message.isDeleted
  }

  get isEdited(): boolean {
    return this.message.editedTs !== undefined
  }

  get ts(): string {
    return this.message.ts
  }

  /** Whom it notifies; empty when nobody. */
  get pings(): readonly string[] {
    return this.message.pings
  }

  /** Name of whoever wrote it. */
  get author(): string {
    const { authorId, postedAs } = this.message
    return postedAs ?? this.workspace.members.get(authorId)?.name ?? 'slackbot'
  }

  /** Replies that this person sees, oldest first. */
  get thread(): SeenMessage[] {
    return this.workspace
      .replies(this.message)
      .filter((reply) => isSeenBy(reply, this.viewer.id))
      .map((reply) => new SeenMessage(reply, this.viewer, this.workspace))
  }
}

/** A modal or the Home tab, as one person sees it. */
export class SeenModal extends Seen {
  readonly view: View

  constructor(view: View, viewer: Member, workspace: Workspace) {
    super(workspace, viewer)
    this.view = view
  }

  get blocks(): readonly Json[] {
    return records(this.view.content.blocks)
  }

  get title(): string {
    return plainText(this.view.content.title, this.workspace)
  }

  /** What stands on the submit button; undefined without one. */
  get submitLabel(): string | undefined {
    return this.view.content.submit === undefined
      ? undefined
      : plainText(this.view.content.submit, this.workspace)
  }

  /** False once it was closed or submitted. */
  get isOpen(): boolean {
    return this.workspace.views.modal(this.viewer.id) === this.view
  }

  /** Labels of the inputs, in order. */
  get labels(): string[] {
    return this.inputs.flatMap(({ label }) => (label === undefined ? [] : [label]))
  }

  /** Sentences under inputs, by label. */
  get errors(): Readonly<Record<string, string>> {
    const labelled = this.inputs.flatMap(({ blockId, label }): [string, string][] => {
      const said = this.view.errors.get(blockId)
      return said === undefined || label === undefined ? [] : [[label, said]]
    })
    return Object.fromEntries(labelled)
  }

  /** What stands in the inputs, by label, as it reads; several choices are joined by `, `. */
  get values(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.inputs.map((control) => [
        control.label ?? '',
        this.#shown(control.blockId, control.element),
      ]),
    )
  }

  /** What an input offers to choose from, as it reads. */
  choices(label: string): string[] {
    return this.inputs
      .filter((control) => control.label === label)
      .flatMap((found) => this.wordsIn(found))
  }

  /** What a control offers: menus may have been given more as somebody typed. */
  optionsIn({ element, key }: Control): readonly Json[] {
    return [...optionsOf(element), ...(this.view.suggested.get(key)?.options ?? [])]
  }

  /** The same as it reads. */
  wordsIn(control: Control): string[] {
    return this.optionsIn(control).map((option) => plainText(option.text, this.workspace))
  }

  /** The conversation with this id, if it is one. */
  conversation(id: string): Channel | undefined {
    return this.workspace.channels.get(id)
  }

  get inputs(): Control[] {
    return controlsOf(this.view.content).filter(({ label }) => label !== undefined)
  }

  /** Everything in it as it reads: title, blocks, values, errors, buttons at the bottom. */
  get plain(): string {
    const blocks = this.blocks.map((block) => {
      const said = this.view.errors.get(text(block.block_id) ?? '')
      const plain = plainBlocks([block], this.workspace, (id, element) => this.#shown(id, element))
      return said === undefined ? plain : `${plain}\n! ${said}`
    })
    const submit = this.submitLabel === undefined ? [] : [`[${this.submitLabel}]`]
    const trouble = this.view.trouble === undefined ? [] : [`! ${this.view.trouble}`]
    return [this.title, ...trouble, ...blocks, ...submit].filter((line) => line !== '').join('\n')
  }

  #shown(blockId: string, element: Json): string {
    const value = this.view.typed.get(blockId)?.get(text(element.action_id) ?? '')
    return value ? shownValue(value, this.workspace) : ''
  }
}
