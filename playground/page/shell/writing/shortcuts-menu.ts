// The app's shortcuts, of a message or of none; those of none have a menu beside the message box.
import { html } from 'htm/preact'
import { MenuButton, type MenuItem } from '../../menu/menu-button.ts'
import type { MessageState } from '../../state/state.ts'
import { Icon } from '../context/icon.ts'
import { type Page, usePage } from '../context/page-context.ts'

export function shortcutItems({ state, act }: Page, of?: MessageState): readonly MenuItem[] {
  const message = of && { channelId: of.channelId, ts: of.ts }
  return state.shortcuts
    .filter(({ kind }) => kind === (of ? 'message' : 'global'))
    .map(({ callbackId, name, description }) => ({
      id: callbackId,
      label: name,
      description,
      sign: html`<${Icon} name="shortcut" />`,
      choose: () => void act({ do: 'shortcut', callbackId, message }),
    }))
}

/** Nothing, when the app has none. */
export function ShortcutsMenu() {
  const items = shortcutItems(usePage())
  if (items.length === 0) return null
  return html`<${MenuButton} label="Shortcuts" look="s-tool" items=${items}><${Icon} name="plus" /><//>`
}
