// A file of a message. Mails show their subject, who sent them, and how they begin.
import { html } from 'htm/preact'
import { type Json, records, text } from '../../slack/model/json.ts'

export function FileCard({ file }: { readonly file: Json }) {
  const isMail = file.mode === 'email'
  const [sender] = records(file.from)
  const name = text(file.subject) || text(file.title) || text(file.name) || 'A file'
  const preview = text(file.preview_plain_text) || undefined
  const about = isMail ? ['Email', text(sender?.original) ?? ''].filter(Boolean).join(' · ') : 'File'
  return html`
    <div class="b-file">
      <p class="b-file-name">${name}</p>
      <p class="b-file-about">${about}</p>
      ${preview && html`<p class="b-file-preview">${preview}${file.has_more === true && '…'}</p>`}
    </div>
  `
}
