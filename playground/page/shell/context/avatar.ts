// The square picture of whoever wrote it: Bellhop's own, or initials on a colour that stays theirs.
import { html } from 'htm/preact'

interface AvatarProps {
  readonly id: string
  readonly name: string
  readonly isBellhop?: boolean
  readonly isSmall?: boolean
}

const COLOURS = 6

export function Avatar({ id, name, isBellhop = false, isSmall = false }: AvatarProps) {
  const size = isSmall ? 's-avatar s-avatar-small' : 's-avatar'
  if (isBellhop) return html`<img class=${size} src="/icon.svg" alt="" />`
  const initials = name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .join('')
    .slice(0, 2)
  return html`<span class=${`${size} s-avatar-${colourOf(name || id)}`} aria-hidden="true">${initials}</span>`
}

/** From the name, not the id: ids are others each time the playground starts. */
function colourOf(name: string): number {
  return (
    [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) %
    COLOURS
  )
}
