// The content of a message: its blocks, or its text where it has none; and what hangs under it.
import { html } from 'htm/preact'
import { useMemo } from 'preact/hooks'
import { Attachment } from '../../blocks/attachment.ts'
import type { Use } from '../../blocks/base/use.ts'
import { Blocks } from '../../blocks/blocks.ts'
import { Mrkdwn } from '../../blocks/text/mrkdwn.ts'
import type { Place } from '../../state/acts.ts'
import type { MessageState, UnfurlState } from '../../state/state.ts'
import { type Page, usePage } from '../context/page-context.ts'

export function MessageContent({ message }: { readonly message: MessageState }) {
  const { state, act } = usePage()
  const { channelId, ts, blocks, text, isEdited, isBellhop, attachments, unfurls } = message
  const own = useMemo(() => useOf({ kind: 'message', channelId, ts }, act), [channelId, ts, act])
  const { names } = state
  // Other apps hear of their own controls, and none of them is here.
  const use = isBellhop ? own : undefined
  return html`
    ${
      blocks.length > 0
        ? html`<${Blocks} isMessage blocks=${blocks} names=${names} use=${use} />`
        : text !== '' && html`<div class="s-text"><${Mrkdwn} text=${text} names=${names} /></div>`
    }
    ${isEdited && html`${' '}<span class="s-edited">(edited)</span>`}
    ${attachments.map(
      (attachment) =>
        html`<${Attachment} attachment=${attachment} names=${names} use=${undefined} />`,
    )}
    ${unfurls.map((unfurl) => html`<${Unfurl} key=${unfurl.id} message=${message} unfurl=${unfurl} />`)}
  `
}

interface UnfurlProps {
  readonly message: MessageState
  readonly unfurl: UnfurlState
}

function Unfurl({ message: { channelId, ts }, unfurl: { id, attachment } }: UnfurlProps) {
  const { state, act } = usePage()
  const use = useMemo(
    () => useOf({ kind: 'unfurl', channelId, ts, unfurlId: id }, act),
    [channelId, ts, id, act],
  )
  return html`
    <${Attachment} attachment=${attachment} names=${state.names} use=${use} addedBy="Bellhop" />
  `
}

function useOf(at: Place, act: Page['act']): Use {
  return {
    press: async (control, optionValue) => {
      await act({ do: 'press', at, ...control, optionValue })
    },
  }
}
