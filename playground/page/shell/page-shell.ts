// The whole page: what the server tells, where one is, and short notices.
import { html } from 'htm/preact'
import { useEffect } from 'preact/hooks'
import { FIRST, useRoute } from './context/route.ts'
import { Toast, useNotice } from './toast.ts'
import { useLive } from './use-live.ts'
import { Workspace } from './workspace.ts'

export function PageShell() {
  const at = useRoute()
  const { notice, notify } = useNotice()
  const { state, happenings, isConnected } = useLive(at.route.as)

  // An address can name somebody who does not exist: the server does not talk to them.
  const isRefused = !isConnected && state === undefined && at.route.as !== FIRST
  useEffect(() => {
    if (isRefused) at.beAs(FIRST)
  }, [isRefused])

  return html`
    <div class="s-shell">
      <div class="s-stopped" aria-live="polite">
        ${
          !isConnected &&
          html`<p>The playground has stopped. Start it again with <code>npm run playground</code>.</p>`
        }
      </div>
      ${
        state
          ? html`<${Workspace} state=${state} happenings=${happenings} at=${at} notify=${notify} />`
          : html`<main class="s-waiting">Opening the playground…</main>`
      }
    </div>
    <${Toast} notice=${notice} />
  `
}
