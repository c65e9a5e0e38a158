// What somebody did, in a few words: the headings of “What happened”.
import { record, text } from '../slack/json.ts'
import type { Channel } from '../slack/model.ts'
import type { SeenModal } from '../slack/seen.ts'
import type { Control } from '../slack/view-state.ts'
import type { Player } from './scene.ts'

export const typed = ({ person }: Player, line: string, channel: Channel) =>
  `${person.name} typed ${line} ${channel.kind === 'im' ? 'to Bellhop' : `in #${channel.name}`}`

export const pressed = ({ person }: Player, label: string) => `${person.name} pressed “${label}”`

export const chose = ({ person }: Player, control: Control) => `${person.name} chose in “${labelOf(control)}”`

export const filledIn = ({ person }: Player, { label }: Control) => `${person.name} filled in “${label}”`

export const submitted = ({ person }: Player, modal: SeenModal) =>
  `${person.name} pressed “${modal.submitLabel}” in “${modal.title}”`

export const closed = ({ person }: Player, modal: SeenModal) => `${person.name} closed “${modal.title}”`

export const usedShortcut = ({ person }: Player, name: string) => `${person.name} used the shortcut “${name}”`

export const openedHome = ({ person }: Player) => `${person.name} opened the Home tab`

export const happened = (ks: string, what: string) => `At the service, ${ks}: ${what}`

export const watched = (ks: string) => `Bellhop watches ${ks}`

/** @param count - Reads of a watched alert that changed nothing. */
export const readsBefore = (count: number) =>
  count === 0 ? undefined : `${count === 1 ? 'One read' : `${count} reads`} before this changed nothing.`

export const notReadFor = (ms: number) => `The service was not reached for ${Math.round(ms / 1_000)} seconds.`

export const toBeSeen = (ks: string, what: string, isLive: boolean) =>
  `${ks}: ${what}. ${isLive ? 'Its live card shows it by itself' : 'Press Refresh on its card to see it'}.`

/** What stands on a control, or on the option chosen in it. */
export function labelOf({ element, label }: Control, option?: ReturnType<typeof record>): string {
  const words = record(option?.text ?? element.text ?? element.placeholder)
  return text(words.text) ?? label ?? 'a menu'
}
