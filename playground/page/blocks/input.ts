// The input block: label, element, error and hint.
import { html } from 'htm/preact'
import { useId } from 'preact/hooks'
import { record, text } from '../../slack/model/json.ts'
import type { BlockProps, Field } from './base/block.ts'
import { Element, isLabelable } from './element.ts'
import { words } from './text/text.ts'

export function Input({ block, given }: BlockProps) {
  const id = useId()
  const element = record(block.element)
  const error = given.errors?.[text(block.block_id) ?? '']
  const hint = words(block.hint)
  const isOptional = block.optional === true
  const ids = {
    input: `${id}-input`,
    label: `${id}-label`,
    optional: `${id}-optional`,
    error: `${id}-error`,
    hint: `${id}-hint`,
  }
  const described = [
    ...(isOptional ? [ids.optional] : []),
    ...(error === undefined ? [] : [ids.error]),
    ...(hint === undefined ? [] : [ids.hint]),
  ]
  const field: Field = {
    inputId: ids.input,
    labelId: ids.label,
    describedBy: described.join(' ') || undefined,
    isInvalid: error !== undefined,
    isRequired: !isOptional,
    sendsWhenComplete: block.dispatch_action === true,
  }
  const label = words(block.label)
  return html`<div class="b-field-block">
    <div class="b-label">
      ${
        isLabelable(element.type)
          ? html`<label id=${ids.label} for=${ids.input}>${label}</label>`
          : html`<span id=${ids.label}>${label}</span>`
      }
      ${isOptional && html`<span id=${ids.optional} class="b-optional">${' '}(optional)</span>`}
    </div>
    <${Element} element=${element} block=${block} given=${given} field=${field} />
    ${error !== undefined && html`<p id=${ids.error} class="b-error" role="alert">${error}</p>`}
    ${hint !== undefined && html`<p id=${ids.hint} class="b-hint">${hint}</p>`}
  </div>`
}
