// Headings of “What happened”: what somebody did, in a few words.
import { record, text } from '../../slack/model/json.ts'
import type { Channel } from '../../slack/model/model.ts'
import type { Control } from '../../slack/model/view-state.ts'
import type { SeenMessage, SeenModal } from '../../slack/person/seen.ts'
import type { Player } from './player.ts'

export const typed = ({ person }: Player, line: string, channel: Channel) =>
  `${person.name} typed ${line} ${channel.kind === 'im' ? 'to Bellhop' : `in #${channel.name}`}`

/** @param isReply - In a thread. */
export const wrote = ({ person }: Player, line: string, channel: Channel, isReply: boolean) => {
  const to = channel.kind === 'im' ? 'to Bellhop' : `${isReply ? 'in a thread of' : 'in'} #${channel.name}`
  return `${person.name} wrote “${shortened(line)}” ${to}`
}

const LONGEST = 80

/** One line of it. */
function shortened(line: string): string {
  const [first = '', ...more] = line.trim().split('\n')
  const cut = [...first].slice(0, LONGEST).join('')
  return cut === first && more.length === 0 ? first : `${cut}…`
}

export const pressed = ({ person }: Player, label: string) => `${person.name} pressed “${label}”`

export const chose = ({ person }: Player, control: Control) => `${person.name} chose in “${labelOf(control)}”`

export const filledIn = ({ person }: Player, { label }: Control) => `${person.name} filled in “${label}”`

/** Without what is typed. */
export const typedInto = ({ person }: Player, { label }: Control) => `${person.name} typed in “${label}”`

export const submitted = ({ person }: Player, modal: SeenModal) =>
  `${person.name} pressed “${modal.submitLabel}” in “${modal.title}”`

export const closed = ({ person }: Player, modal: SeenModal) => `${person.name} closed “${modal.title}”`

/** @param message - Of whose menu it is; undefined for those that belong to none. */
export const usedShortcut = ({ person }: Player, name: string, message: SeenMessage | undefined) =>
  `${person.name} used the shortcut “${name}”${message ? ` on a message of ${message.author}` : ''}`

export const openedHome = ({ person }: Player) => `${person.name} opened the Home tab`

export const happened = (ks: string, what: string) => `At the service, ${ks} ${what}`

const counted = (keys: readonly string[]) =>
  keys.length === 1 ? `${keys[0]} opens` : `${keys.length} new alerts open`

export const opened = (keys: readonly string[]) => `At the service, ${counted(keys)} in container 12`

export const isOpened = (keys: readonly string[]) =>
  `${counted(keys)} in container 12. A channel that follows it gets ${keys.length === 1 ? 'its card' : 'one message'} within seconds.`

export const reset = ({ person }: Player) => `${person.name} reset the stand-in service`

export const isReset = 'The stand-in service is back as it was at the start.'

export const toBeSeen = (ks: string, what: string, isLive: boolean) =>
  `${ks} ${what}. ${isLive ? 'Its live card updates itself' : 'Press Refresh on its card to see it'}.`

/** What stands on a control, or on the option chosen in it. */
export function labelOf({ element, label }: Control, option?: ReturnType<typeof record>): string {
  const words = record(option?.text ?? element.text ?? element.placeholder)
  return text(words.text) ?? label ?? 'a menu'
}
