// The app's shortcuts that belong to no message, beside the message box.
import { html } from 'htm/preact'
import { MenuButton } from '../../menu/menu-button.ts'
import { Icon } from '../context/icon.ts'
import { usePage } from '../context/page-context.ts'

/** Nothing, when the app has none. */
export function ShortcutsMenu() {
  const { state, act } = usePage()
  const items = state.shortcuts
    .filter(({ kind }) => kind === 'global')
    .map(({ callbackId, name, description }) => ({
      id: callbackId,
      label: name,
      description,
      sign: html`<${Icon} name="shortcut" />`,
      choose: () => void act({ do: 'shortcut', callbackId }),
    }))
  if (items.length === 0) return null
  return html`<${MenuButton} label="Shortcuts" look="s-tool" items=${items}><${Icon} name="plus" /><//>`
}
