// Alerts that the stand-in service watches, in the sidebar: to look them up, and to let something happen to them.
import { html } from 'htm/preact'
import { usePage } from '../shell/context/page-context.ts'
import type { AlertState } from '../state/state.ts'
import { AlertEvents } from './alert-events.ts'
import { markOf } from './marks.ts'
import { Reset } from './reset.ts'

interface NewAlerts {
  readonly label: string
  readonly title: string
  readonly count: number
  readonly rings?: boolean
}

const newAlerts: readonly NewAlerts[] = [
  { label: 'New alert', title: 'A new alert opens in container 12', count: 1 },
  { label: 'Storm', title: '30 new alerts open at once in container 12', count: 30 },
  {
    label: 'By webhook',
    title: 'A new alert opens in container 12, and a webhook of the service calls Bellhop',
    count: 1,
    rings: true,
  },
]

export function Alerts() {
  const { state, act } = usePage()
  const { alerts } = state
  const entry = (alert: AlertState) => html`
    <${AlertEntry} key=${alert.ks} alert=${alert} id=${`d-alert-${alerts.indexOf(alert)}`} />
  `
  const edgeCases = alerts.filter(({ isEdgeCase }) => isEdgeCase)
  return html`
    <section class="d-alerts" aria-labelledby="d-alerts-title">
      <header class="d-alerts-head">
        <h2 class="d-alerts-title" id="d-alerts-title">Stand-in service</h2>
        <${Reset} />
      </header>
      <div class="d-alerts-acts">
        ${newAlerts.map(
          ({ label, title, ...how }) => html`
            <button
              type="button"
              class="d-reset"
              key=${label}
              title=${title}
              onClick=${() => void act({ do: 'new-alerts', ...how })}
            >
              ${label}
            </button>
          `,
        )}
      </div>
      <ul class="d-alert-list">
        ${alerts.filter(({ isEdgeCase }) => !isEdgeCase).map(entry)}
      </ul>
      ${
        edgeCases.length > 0 &&
        html`
          <details class="d-edge-cases">
            <summary>Edge cases</summary>
            <ul class="d-alert-list">
              ${edgeCases.map(entry)}
            </ul>
          </details>
        `
      }
    </section>
  `
}

/** Characters of a message that a row can show, and then some: nobody wants to hear all of a long one. */
const LONGEST = 100

/** All of it can be pressed to look the alert up, but for the menu. */
function AlertEntry({ alert, id }: { readonly alert: AlertState; readonly id: string }) {
  const { putLine } = usePage()
  const { ks, message, machine, isClosed } = alert
  const line = `/alert ${/\s/.test(ks) ? `"${ks}"` : ks}`
  return html`
    <li class="d-alert">
      <span class="d-alert-state" id=${`${id}-state`} role="img" aria-label=${isClosed ? 'closed' : 'open'}>
        ${markOf(alert)}
      </span>
      <button
        type="button"
        class="d-alert-message"
        title=${message}
        aria-describedby=${`${id}-state ${id}-key`}
        onClick=${() => putLine(line)}
      >
        ${message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message}
      </button>
      <span class="d-alert-key" id=${`${id}-key`}>
        <code>${ks}</code>${machine && html` · <bdi>${machine}</bdi>`}
      </span>
      <${AlertEvents} alert=${alert} />
    </li>
  `
}
