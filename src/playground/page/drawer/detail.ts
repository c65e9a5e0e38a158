// Something that was sent or came back, to be read and copied.
import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { JsonText, prettyJson } from './json.ts'

const COPIED_FOR_MS = 2_000

interface DetailProps {
  readonly label: string
  readonly json: unknown
}

export function Detail({ label, json }: DetailProps) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setIsCopied(false), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = async () => {
    await navigator.clipboard.writeText(prettyJson(json))
    setIsCopied(true)
  }

  return html`
    <section class="d-detail">
      <header class="d-detail-head">
        <h4 class="d-detail-label">${label}</h4>
        <span class="d-copied" role="status">${isCopied && 'Copied'}</span>
        <button type="button" class="d-button" aria-label=${`Copy: ${label}`} onClick=${copy}>Copy</button>
      </header>
      <${JsonText} json=${json} />
    </section>
  `
}
