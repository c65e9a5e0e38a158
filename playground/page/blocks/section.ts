// The section block: a text, fields in two columns, and one element at the right.
import { html } from 'htm/preact'
import { isRecord, records } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { Element } from './element.ts'
import { Text } from './text/text.ts'

export function Section({ block, given }: BlockProps) {
  const { text, accessory } = block
  const fields = records(block.fields)
  return html`<div class="b-section">
    <div class="b-section-words">
      <${Text} of=${text} names=${given.names} />
      ${
        fields.length > 0 &&
        html`<div class="b-fields">
          ${fields.map((field) => html`<div class="b-field"><${Text} of=${field} names=${given.names} /></div>`)}
        </div>`
      }
    </div>
    ${isRecord(accessory) && html`<div class="b-accessory"><${Element} element=${accessory} block=${block} given=${given} /></div>`}
  </div>`
}
