// A link in a text: opened beside the playground, and only when it leads to where links may lead.
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { safeAddress } from './address.ts'

interface LinkProps {
  readonly url: string
  readonly children?: ComponentChildren
}

export function Link({ url, children }: LinkProps) {
  const address = safeAddress(url)
  if (address === undefined) return html`<span>${children}</span>`
  return html`<a class="b-link" href=${address} target="_blank" rel="noopener noreferrer">${children}</a>`
}
