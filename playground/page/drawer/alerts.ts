// Alerts that the stand-in service watches, in the sidebar: to look them up, and a button that moves them on.
import { html } from 'htm/preact'
import type { Act } from '../state/acts.ts'
import type { AlertState, PageState } from '../state/state.ts'
import { markOf } from './marks.ts'

interface AlertsProps {
  readonly state: PageState
  readonly act: (act: Act) => Promise<string | undefined>
  /** @param line - The command that looks the alert up, for the message box. */
  readonly onPick: (line: string) => void
}

export function Alerts({ state: { alerts }, act, onPick }: AlertsProps) {
  return html`
    <section class="d-alerts" aria-labelledby="d-alerts-title">
      <header class="d-alerts-head">
        <h2 class="d-alerts-title" id="d-alerts-title">Stand-in service</h2>
        <button
          type="button"
          class="d-event"
          title="Something happens at the service"
          onClick=${() => act({ do: 'event' })}
        >
          New event
        </button>
      </header>
      <ul class="d-alert-list">
        ${alerts.map(
          (alert, index) => html`
            <${AlertEntry} key=${alert.ks} alert=${alert} id=${`d-alert-${index}`} onPick=${onPick} />
          `,
        )}
      </ul>
    </section>
  `
}

interface AlertEntryProps {
  readonly alert: AlertState
  readonly id: string
  readonly onPick: (line: string) => void
}

/** All of it can be pressed; the button itself is called by the key alone. */
function AlertEntry({ alert, id, onPick }: AlertEntryProps) {
  const { ks, message, isClosed } = alert
  const line = `/alert ${/\s/.test(ks) ? `"${ks}"` : ks}`
  return html`
    <li class="d-alert">
      <span class="d-alert-state" id=${`${id}-state`} role="img" aria-label=${isClosed ? 'closed' : 'open'}>
        ${markOf(alert)}
      </span>
      <button
        type="button"
        class="d-alert-key"
        title=${message}
        aria-describedby=${`${id}-state ${id}-message`}
        onClick=${() => onPick(line)}
      >
        ${ks}
      </button>
      <span class="d-alert-message" id=${`${id}-message`}>${message}</span>
    </li>
  `
}
