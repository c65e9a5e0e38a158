// What a message says: its blocks, or its text where it has none.
import { html } from 'htm/preact'
import { useMemo } from 'preact/hooks'
import { Blocks } from '../blocks/blocks.ts'
import { Mrkdwn } from '../blocks/mrkdwn.ts'
import type { Use } from '../blocks/use.ts'
import type { MessageState } from '../state.ts'
import { type Page, usePage } from './page-context.ts'

export function MessageContent({ message }: { readonly message: MessageState }) {
  const { state, offers, act } = usePage()
  const { channelId, ts, blocks, text, isEdited } = message
  const use = useMemo(() => useOf({ channelId, ts }, act), [channelId, ts, act])
  const edited = isEdited && html`<span class="s-edited">(edited)</span>`
  if (blocks.length === 0)
    return html`<div class="s-text"><${Mrkdwn} text=${text} names=${state.names} /> ${edited}</div>`
  return html`
    <${Blocks} isMessage blocks=${blocks} names=${state.names} offers=${offers} use=${use} />
    ${edited}
  `
}

function useOf(message: { readonly channelId: string; readonly ts: string }, act: Page['act']): Use {
  const at = { kind: 'message', ...message } as const
  const choose: Use['choose'] = async (control, value) => {
    await act({ do: 'choose', at, ...control, value })
  }
  return {
    press: async (control, optionValue) => {
      await act({ do: 'press', at, ...control, optionValue })
    },
    choose,
    // Inputs in messages act at once: there is nothing to submit.
    fill: choose,
  }
}
