// Attachments and files as the plain text that a person reads.
import { type Json, records, text } from '../model/json.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { plainBlocks, plainMrkdwn } from './plain.ts'

export function plainAttachment(attachment: Json, workspace: Workspace): string {
  const words = (name: string) => plainMrkdwn(text(attachment[name]) ?? '', workspace)
  const fields = records(attachment.fields).map(
    ({ title, value }) =>
      `${text(title) ?? ''}: ${plainMrkdwn(text(value) ?? String(value ?? ''), workspace)}`,
  )
  const blocks = plainBlocks(records(attachment.blocks), workspace)
  const shown = [
    words('pretext'),
    words('author_name'),
    words('title'),
    words('text'),
    ...fields,
    blocks,
  ]
  const lines = [...shown, words('footer')].filter((line) => line !== '')
  return lines.length > 0 ? lines.join('\n') : words('fallback')
}
