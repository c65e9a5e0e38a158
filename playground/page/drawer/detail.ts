// Something that was sent or came back, to be read and copied.
import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { copy } from '../browser/copy.ts'
import { JsonText, prettyJson } from './json.ts'

const NOTE_MS = 2_000

interface DetailProps {
  readonly label: string
  readonly json: unknown
}

export function Detail({ label, json }: DetailProps) {
  const [note, setNote] = useState('')
  useEffect(() => {
    if (note === '') return undefined
    const timer = setTimeout(() => setNote(''), NOTE_MS)
    return () => clearTimeout(timer)
  }, [note])

  return html`
    <section class="d-detail">
      <header class="d-detail-head">
        <h4 class="d-detail-label">${label}</h4>
        <span class="d-copied" role="status">${note}</span>
        <button type="button" class="d-button" aria-label=${`Copy: ${label}`} onClick=${() => copy(prettyJson(json), setNote)}>Copy</button>
      </header>
      <${JsonText} json=${json} />
    </section>
  `
}
