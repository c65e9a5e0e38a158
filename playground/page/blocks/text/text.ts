// Text objects: plain or mrkdwn.
import { html } from 'htm/preact'
import { record, text } from '../../../slack/model/json.ts'
import type { Names } from '../base/use.ts'
import { Mrkdwn } from './mrkdwn.ts'

/** A text object of either kind. Nothing for a missing one. */
export function Text({ of, names }: { readonly of: unknown; readonly names: Names }) {
  const { type, text: content } = record(of)
  if (typeof content !== 'string') return null
  if (type === 'mrkdwn') return html`<${Mrkdwn} text=${content} names=${names} />`
  return html`<span class="b-plain">${content}</span>`
}

/** The words of a plain text object, for names and attributes. */
export function words(of: unknown): string | undefined {
  return text(record(of).text)
}
