// People, channels and groups by name.
import { html } from 'htm/preact'
import type { Names } from '../base/use.ts'

interface MentionProps {
  readonly sign: '@' | '#'
  readonly id: string
  /** What to say when nobody knows the id. */
  readonly label?: string | undefined
  readonly names: Names
}

export function Mention({ sign, id, label, names }: MentionProps) {
  const name = Object.hasOwn(names, id) ? names[id] : label
  return html`<span class="b-mention">${sign}${name ?? id}</span>`
}

/** `@here`, `@channel`, `@everyone`: they concern the reader too, so they stand out. */
export function Broadcast({ range }: { readonly range: string }) {
  return html`<span class="b-mention b-broadcast">@${range}</span>`
}
