// Settings of a workspace in messages: which channels are chosen, and why none can be. Pure.
import { type Message, say, sayMarked } from '../slack/outbound/message.ts'
import type { Channels } from '../slack/workspace/channels.ts'

export const channelLink = (channelId: string) => `<#${channelId}>`

/** In mrkdwn: a link for each channel, which pings nobody. */
export function channelLines({ audit, approval }: Channels): readonly string[] {
  return [
    audit === undefined ? 'There is no audit channel.' : `The audit channel is ${channelLink(audit)}.`,
    approval === undefined
      ? 'There is no approval channel: requests for approval stay where somebody asks.'
      : `The approval channel is ${channelLink(approval)}.`,
  ]
}

/** Sentences in place of the modal. Raw. */
export const whyNoSettings = {
  notAnAdmin:
    'The settings of Bellhop are for admins of this workspace, and for whoever installed it. Ask one of them.',
  gone: 'Bellhop is not installed here any more, so nothing was saved.',
  noForm: 'Settings are a form, which opens when you type /alert settings as a command.',
} as const

/** Where there is one workspace, and whoever runs the bot has set it up. */
export function renderByOperator(channels: Channels): Message {
  const by =
    'Whoever runs Bellhop has set this, as AUDIT_CHANNEL and APPROVAL_CHANNEL: it is not changed in Slack.'
  return sayMarked([...channelLines(channels), by].join('\n'))
}

/** Into a channel that was chosen. @param name - Who chose it, raw. */
export function renderChosen(what: 'audit' | 'approval', name: string): Message {
  return say(`${chosen[what]} ${name} has chosen it with /alert settings.`)
}

const chosen = {
  audit: 'Bellhop tells of grants and approvals in this channel from now on.',
  approval: 'Bellhop posts requests for approval in this channel from now on.',
} as const
