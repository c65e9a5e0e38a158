// A button that puts a text into the clipboard.
import { html } from 'htm/preact'
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

/** Browsers can forbid it: whoever asked is told either way. */
export async function copy(text: string, notify: (words: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('Copied.')
  } catch {
    notify('The browser does not allow copying.')
  }
}
