// The button “Reset”: the stand-in service as it was at the start, after a question.
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../blocks/controls/confirm.ts'
import { usePage } from '../shell/context/page-context.ts'

const plain = (text: string) => ({ type: 'plain_text', text })

const question = {
  title: plain('Reset the stand-in service?'),
  text: plain(
    'Alerts, containers and their members go back to how they were at the start. Slack messages stay, and so does everything Bellhop has stored.',
  ),
  confirm: plain('Reset'),
  deny: plain('Cancel'),
  style: 'danger',
}

export function Reset() {
  const { act } = usePage()
  const [isAsking, setIsAsking] = useState(false)
  const onAnswer = (yes: boolean) => {
    setIsAsking(false)
    if (yes) void act({ do: 'reset' })
  }
  return html`
    <button
      type="button"
      class="d-reset"
      title="Alerts, containers and members go back to the start; Slack messages stay"
      onClick=${() => setIsAsking(true)}
    >
      Reset
    </button>
    ${isAsking && html`<${ConfirmDialog} confirm=${question} onAnswer=${onAnswer} />`}
  `
}
