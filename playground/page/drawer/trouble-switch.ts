// One entry of the menu “Trouble”: a switch, or a button for what happens at once; and what to do to see it.
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Icon } from '../shell/context/icon.ts'
import { usePage } from '../shell/context/page-context.ts'
import type { ChannelState, TroubleState } from '../state/state.ts'

interface TroubleSwitchProps {
  readonly trouble: TroubleState
  /** The channel that is looked at; undefined: the Home tab. */
  readonly channel: ChannelState | undefined
}

export function TroubleSwitch({ trouble, channel }: TroubleSwitchProps) {
  const { act } = usePage()
  const { id, label, hint, lasts, places } = trouble
  const isOn = places === undefined ? trouble.isOn : places.includes(channel?.id ?? '')
  const [isSwitching, setIsSwitching] = useState(false)
  const set = async (isWanted: boolean) => {
    // Drawing it anew takes the box back to what is so, until the server says that it was switched.
    setIsSwitching(true)
    await act({ do: 'trouble', id, isOn: isWanted, channelId: channel?.id })
    setIsSwitching(false)
  }
  const onChange = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLInputElement) void set(currentTarget.checked)
  }
  const name = `d-trouble-${id}`
  const shared = {
    'aria-busy': isSwitching,
    'aria-labelledby': name,
    'aria-describedby': `${name}-hint`,
  }
  return html`
    <label class="d-switch">
      ${
        lasts === 'at once'
          ? html`<button type="button" class="d-act" ...${shared} onClick=${() => set(true)}><${Icon} name="shortcut" /></button>`
          : html`<input type="checkbox" role="switch" ...${shared} checked=${isOn} onChange=${onChange} />`
      }
      <span class="d-switch-words">
        <span class="d-switch-label" id=${name}>${label}</span>
        <span class="d-switch-hint" id=${`${name}-hint`}>
          ${hint}${lasts === 'once' && html` <em>Switches itself off.</em>`}
        </span>
      </span>
    </label>
  `
}
