// One entry of the menu “Trouble”: a switch, and what to do to see it.
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { usePage } from '../shell/context/page-context.ts'
import type { TroubleState } from '../state/state.ts'

export function TroubleSwitch({ trouble }: { readonly trouble: TroubleState }) {
  const { act } = usePage()
  const { id, label, hint, lasts, isOn } = trouble
  const [isSwitching, setIsSwitching] = useState(false)
  const onChange = async ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLInputElement)) return
    // Drawing it anew takes the box back to what is so, until the server says that it was switched.
    setIsSwitching(true)
    await act({ do: 'trouble', id, isOn: currentTarget.checked })
    setIsSwitching(false)
  }
  const name = `d-trouble-${id}`
  return html`
    <label class="d-switch">
      <input
        type="checkbox"
        role="switch"
        checked=${isOn}
        aria-busy=${isSwitching}
        aria-labelledby=${name}
        aria-describedby=${`${name}-hint`}
        onChange=${onChange}
      />
      <span class="d-switch-words">
        <span class="d-switch-label" id=${name}>${label}</span>
        <span class="d-switch-hint" id=${`${name}-hint`}>
          ${hint}${lasts === 'once' && html` <em>Switches itself off.</em>`}
        </span>
      </span>
    </label>
  `
}
