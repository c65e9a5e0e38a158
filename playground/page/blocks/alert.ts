// The alert block: a coloured notice in a modal.
import { html } from 'htm/preact'
import { text } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { Text } from './text/text.ts'

const signs: Readonly<Record<string, string>> = {
  default: '🔔',
  info: 'ℹ️',
  warning: '⚠️',
  error: '⛔',
  success: '✅',
}

export function Alert({ block, given }: BlockProps) {
  const asked = text(block.level) ?? 'default'
  const level = Object.hasOwn(signs, asked) ? asked : 'default'
  return html`<div class=${`b-alert b-alert-${level}`} role="note">
    <span class="b-alert-sign" aria-hidden="true">${signs[level]}</span>
    <${Text} of=${block.text} names=${given.names} />
  </div>`
}
