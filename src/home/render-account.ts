// The account on the Home tab: since when, and with what rights as far as seen. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { connectButton } from '../account/render.ts'
import { cut, date, escapeText, mrkdwn, plain } from '../slack/mrkdwn.ts'
import type { Right, Rights } from './rights.ts'

/** Action id of *Disconnect*, for the listeners. */
export const disconnectAction = 'home.disconnect'

/** Undefined when nobody is connected. */
export type Account = (Rights & { readonly since: number }) | undefined

const mostRights = 6

const when = (at: number) => date(Math.floor(at / 1000))

export function accountBlocks(account: Account): KnownBlock[] {
  if (account === undefined) {
    const text =
      'You are not connected. Connect your own account at the monitoring service: Bellhop then looks up alerts and grants access as you, and can do nothing that you could not.'
    return [section(text), { type: 'actions', elements: [connectButton('')] }]
  }
  const { since, refusedAt, seen } = account
  if (refusedAt !== undefined) {
    const refused = `⚠️ *Your token is no longer accepted* by the monitoring service (${when(refusedAt)}). Connect your account again.`
    return [section(refused), { type: 'actions', elements: [connectButton(''), disconnectButton()] }]
  }
  return [
    section(`✅ *Connected* since ${when(since)}.\n${rightsText(seen)}`),
    { type: 'actions', elements: [disconnectButton()] },
  ]
}

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

function rightsText(seen: readonly Right[]): string {
  if (seen.length === 0) return 'What your token may do shows here once you have used it.'
  const lines = seen.slice(0, mostRights).map((right) => `• ${rightWords(right)}`)
  const rest = seen.length - lines.length
  return [
    'What your token may do, as far as seen:',
    ...lines,
    ...(rest === 0 ? [] : [`• and ${rest} more`]),
  ].join('\n')
}

function rightWords({ at, isAllowed, of }: Right): string {
  switch (of.kind) {
    case 'read':
      return `Look up alerts (API and READ): worked, ${when(at)}`
    case 'read-alert': {
      const which = of.ks === undefined ? 'Look up alerts' : `Look up ${escapeText(cut(of.ks, 100))}`
      return `${which}: refused, ${when(at)}; it needs API and READ there`
    }
    case 'grant':
      return isAllowed
        ? `Grant access on container ${of.containerId} (API and CONTAINER_ACCESS): worked, ${when(at)}`
        : `Grant access on container ${of.containerId}: refused, ${when(at)}; it needs API and CONTAINER_ACCESS`
    default:
      return of satisfies never
  }
}

function disconnectButton(): Button {
  return {
    type: 'button',
    action_id: disconnectAction,
    text: plain('Disconnect'),
    confirm: {
      title: plain('Disconnect'),
      text: plain(
        'Bellhop forgets your token at once, and your watches end. If you do not need the token any more, revoke it at the monitoring service too.',
      ),
      confirm: plain('Disconnect'),
      deny: plain('Cancel'),
      style: 'danger',
    },
  }
}
