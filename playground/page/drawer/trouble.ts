// The menu “Trouble” in the header: bad days to order.
import { html } from 'htm/preact'
import { usePopover } from '../menu/popover.ts'
import { usePage } from '../shell/context/page-context.ts'
import type { ChannelState } from '../state/state.ts'
import { TroubleSwitch } from './trouble-switch.ts'

const groups = ['The service', 'Slack', 'The bot', 'The clock'] as const

/** @param props.channel - The one that is looked at; undefined: the Home tab. */
export function TroubleMenu({ channel }: { readonly channel: ChannelState | undefined }) {
  const { troubles } = usePage().state
  const { button, popover, onToggle } = usePopover(putUnder)
  const on = troubles.filter(({ isOn }) => isOn).length

  return html`
    <button
      type="button"
      class="d-trouble-button"
      ref=${button}
      popovertarget="d-trouble"
      aria-label=${on === 0 ? 'Trouble' : `Trouble, ${on} on`}
    >
      Trouble ${on > 0 && html`<span class="d-count">${on}</span>`}
    </button>
    <div
      class="d-trouble"
      id="d-trouble"
      ref=${popover}
      popover="auto"
      role="dialog"
      aria-labelledby="d-trouble-title"
      tabindex="-1"
      autofocus
      onToggle=${onToggle}
    >
      <h2 class="d-title" id="d-trouble-title">Trouble</h2>
      <p class="d-trouble-about">Break something and see what people get.</p>
      ${groups.map((group) => {
        const inGroup = troubles.filter((trouble) => trouble.group === group)
        if (inGroup.length === 0) return null
        return html`
          <fieldset key=${group} class="d-group">
            <legend class="d-group-title">${group}</legend>
            ${inGroup.map((trouble) => html`<${TroubleSwitch} key=${trouble.id} trouble=${trouble} channel=${channel} />`)}
          </fieldset>
        `
      })}
    </div>
  `
}

/** Right edges in line, as far as the window allows. */
function putUnder(button: HTMLElement, menu: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect()
  const edge = document.documentElement.clientWidth
  menu.style.right = `${Math.max(8, Math.min(edge - right, edge - 8 - menu.offsetWidth))}px`
  menu.style.top = `${bottom + 6}px`
  menu.style.maxHeight = `calc(100dvh - ${bottom + 14}px)`
}
