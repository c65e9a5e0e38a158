// The account on the Home tab: since when, and with what rights as far as seen. Pure.
import type { Button, KnownBlock, RichTextElement } from '@slack/types'
import { connectButton } from '../account/render.ts'
import { cut, date, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import { listBlock, when, words } from './render-lines.ts'
import type { Right, Rights } from './rights.ts'

/** Action id of *Disconnect*, for the listeners. */
export const disconnectAction = 'home.disconnect'

/** Undefined when nobody is connected. */
export type Account = (Rights & { readonly since: number }) | undefined

const mostRights = 6
const longestKey = 100

export function accountBlocks(account: Account): KnownBlock[] {
  if (account === undefined) {
    const text =
      'You are not connected. Connect your own account at the monitoring service: Bellhop then looks up alerts and grants access as you, and can do nothing that you could not.'
    return [section(text), buttons(connectButton())]
  }
  const { since, refusedAt, seen } = account
  if (refusedAt !== undefined) {
    const text = `⚠️ *Connected* since ${time(since)}, but the monitoring service no longer accepts your token (${time(refusedAt)}). Connect your account again.`
    return [section(text), buttons(connectButton(), disconnectButton())]
  }
  const connected = `✅ *Connected* since ${time(since)}.`
  if (seen.length === 0) {
    const text = `${connected}\nWhat your token may do shows here once you have used it.`
    return [section(text), buttons(disconnectButton())]
  }
  const lines = seen.slice(0, mostRights).map(rightLine)
  const rest = seen.length - lines.length
  return [
    section(`${connected}\nWhat your token may do, as far as seen:`),
    listBlock(rest === 0 ? lines : [...lines, [words(`and ${rest} more`)]]),
    buttons(disconnectButton()),
  ]
}

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

function buttons(...elements: Button[]): KnownBlock {
  return { type: 'actions', elements }
}

function time(at: number): string {
  return date(Math.floor(at / 1000))
}

function rightLine({ at, isAllowed, of }: Right): RichTextElement[] {
  switch (of.kind) {
    case 'read':
      return [words('Look up alerts (API and READ): worked, '), when(at)]
    case 'read-alert': {
      const what = of.ks === undefined ? 'alerts' : cut(of.ks, longestKey)
      return [words(`Look up ${what}: refused, `), when(at), words('; it needs API and READ there')]
    }
    case 'grant': {
      const what = `Grant access on container ${of.containerId}`
      if (isAllowed) return [words(`${what} (API and CONTAINER_ACCESS): worked, `), when(at)]
      return [words(`${what}: refused, `), when(at), words('; it needs API and CONTAINER_ACCESS')]
    }
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
