// A few pieces of Block Kit for the tests of the simulator.
import type { ModalView, SectionBlock } from '@slack/types'

export function section(text: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }
}

/** A form with a text, a group of boxes and a single box. */
export function modal(): ModalView {
  const label = (text: string) => ({ type: 'plain_text', text }) as const
  const option = (text: string) => ({ text: label(text), value: text })
  return {
    type: 'modal',
    callback_id: 'grant',
    title: label('Grant access'),
    submit: label('Grant access'),
    blocks: [
      {
        type: 'input',
        block_id: 'container',
        label: label('Container'),
        element: { type: 'plain_text_input', action_id: 'typed' },
      },
      {
        type: 'input',
        block_id: 'viewing',
        label: label('Viewing'),
        element: {
          type: 'checkboxes',
          action_id: 'flags',
          options: [option('READ'), option('API')],
        },
      },
      {
        type: 'input',
        block_id: 'member',
        label: label('Member'),
        optional: true,
        element: { type: 'checkboxes', action_id: 'flags', options: [option('Full member')] },
      },
    ],
  }
}
