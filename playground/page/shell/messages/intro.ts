// The very beginning of a channel: where one is, and what to try.
import { html } from 'htm/preact'
import type { ChannelState } from '../../state/state.ts'
import { CopyButton } from '../context/copy-button.ts'
import { usePage } from '../context/page-context.ts'
import { firstName } from '../context/person.ts'

const commands = [
  '/alert disk-full',
  '/alert "web server 503"',
  '/grant 12 dave@example.com viewer',
  '/grant give dave@example.com viewer on 12 until friday',
]

export function Intro({ channel }: { readonly channel: ChannelState }) {
  const { state, putLine } = usePage()
  const { viewer } = state
  const isDirect = channel.kind === 'im'
  const tries = [...commands, isDirect ? 'alert one-hit' : '@Bellhop alert one-hit']
  const hasOtherTools = state.messages.some(
    ({ channelId, isApp, isBellhop }) => channelId === channel.id && isApp && !isBellhop,
  )
  return html`
    <section class="s-intro" aria-labelledby="s-intro-title">
      <h2 class="s-intro-title" id="s-intro-title">
        This is the very beginning of ${isDirect ? `your conversation with ${channel.name}` : `#${channel.name}`}
      </h2>
      <p class="s-intro-words">
        Bellhop is real. Slack and the monitoring service are stand-ins. Nothing leaves this machine.
      </p>
      <div class="s-tries">
        <span class="s-tries-title" id="s-tries-title">Try one, then press Enter</span>
        ${tries.map(
          (line) => html`
            <button key=${line} type="button" class="s-try" onClick=${() => putLine(line)}>${line}</button>
          `,
        )}
      </div>
      ${
        hasOtherTools &&
        html`
      <p class="s-intro-words">
        To look up an alert in another tool’s post, choose <b>Look up this alert</b> from the message’s menu.
      </p>
        `
      }
      ${
        viewer.isNew &&
        html`
      <p class="s-intro-words">
        When Bellhop asks for ${firstName(viewer)}’s API token, paste this one:${' '}
        <span class="s-token"><code>${viewer.demoToken}</code><${CopyButton} label="Copy" text=${viewer.demoToken} /></span>
      </p>
        `
      }
    </section>
  `
}
