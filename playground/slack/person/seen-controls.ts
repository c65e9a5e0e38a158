// Controls of a message, an unfurl or a view that can be pressed, by the words on them.
import { type Json, record, text } from '../model/json.ts'
import type { Member } from '../model/model.ts'
import { type Control, interactive, optionsOf } from '../model/view-state.ts'
import { controlLabel, plainText } from '../text/plain.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The words of a confirmation dialog. */
export interface Confirmation {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly deny: string
}

export abstract class Seen {
  protected readonly workspace: Workspace
  readonly viewer: Member

  constructor(workspace: Workspace, viewer: Member) {
    this.workspace = workspace
    this.viewer = viewer
  }

  /** Block Kit as it was sent, with ids filled in. */
  abstract get blocks(): readonly Json[]

  /** Labels of buttons and of overflow menus' options, in order. */
  get buttons(): string[] {
    return interactive(this.blocks).flatMap(({ type, element }) => {
      if (type === 'button') return [controlLabel(element, this.workspace)]
      return type === 'overflow'
        ? optionsOf(element).map(({ text: label }) => plainText(label, this.workspace))
        : []
    })
  }

  /** The confirmation that this button asks for, or undefined. */
  confirmationOf(label: string): Confirmation | undefined {
    const confirm = this.control(label)?.element.confirm
    if (confirm === undefined) return undefined
    const words = record(confirm)
    const plain = (name: string) => plainText(words[name], this.workspace)
    return {
      title: plain('title'),
      text: plain('text'),
      confirm: plain('confirm'),
      deny: plain('deny'),
    }
  }

  /** The address that a button opens, or undefined. */
  urlOf(label: string): string | undefined {
    const element = this.control(label)?.element
    if (element === undefined) return undefined
    return text((this.optionOf(element, label) ?? element).url)
  }

  /** The button (or the menu with the option) of this label. */
  control(label: string): Control | undefined {
    return interactive(this.blocks).find(({ type, element }) => {
      if (type === 'button') return controlLabel(element, this.workspace) === label
      return type === 'overflow' && this.optionOf(element, label) !== undefined
    })
  }

  optionOf(element: Json, label: string): Json | undefined {
    return optionsOf(element).find((option) => plainText(option.text, this.workspace) === label)
  }
}
