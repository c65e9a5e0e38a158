// People, channels and groups by name.
import { html } from 'htm/preact'
import type { Names } from '../base/use.ts'

interface MentionProps {
  readonly id: string
  /** What to say when nobody knows the id. */
  readonly label?: string | undefined
  readonly names: Names
}

function nameOf(id: string, names: Names): string | undefined {
  return Object.hasOwn(names, id) ? names[id] : undefined
}

export function UserMention({ id, label, names }: MentionProps) {
  return html`<span class="b-mention">@${nameOf(id, names) ?? label ?? id}</span>`
}

export function ChannelMention({ id, label, names }: MentionProps) {
  return html`<span class="b-mention">#${nameOf(id, names) ?? label ?? id}</span>`
}

/** `@here`, `@channel`, `@everyone`: they concern the reader too, so they stand out. */
export function Broadcast({ range }: { readonly range: string }) {
  return html`<span class="b-mention b-broadcast">@${range}</span>`
}
