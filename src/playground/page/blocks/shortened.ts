// A long text behind “Show more”.
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Slack names no numbers; these are what its client is seen to do. */
const longest = { lines: 5, characters: 700 }

interface ShortenedProps {
  /** What decides whether it is long. */
  readonly text: unknown
  readonly children?: ComponentChildren
}

export function Shortened({ text, children }: ShortenedProps) {
  const [isOpen, setOpen] = useState(false)
  const source = typeof text === 'string' ? text : ''
  const isLong = source.length > longest.characters || source.split('\n').length > longest.lines
  if (!isLong) return html`<div>${children}</div>`
  return html`<div>
    <div class=${isOpen ? '' : 'b-shortened'}>${children}</div>
    <button type="button" class="b-more" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${isOpen ? 'Show less' : 'Show more'}
    </button>
  </div>`
}
