// A button that puts a text into the clipboard.
import { html } from 'htm/preact'
import { copy } from '../../browser/copy.ts'
import { Icon } from './icon.ts'
import { usePage } from './page-context.ts'

interface CopyButtonProps {
  readonly label: string
  readonly text: string
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const { notify } = usePage()
  return html`
    <button type="button" class="s-copy" aria-label=${label} title=${label} onClick=${() => copy(text, notify)}>
      <${Icon} name="copy" />
    </button>
  `
}
