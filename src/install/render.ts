// Settings of a workspace in messages: which channels are chosen, and why none can be. Pure.
import { type Message, say, sayMarked } from '../slack/outbound/message.ts'
import type { Channels } from '../slack/workspace/channels.ts'

export const channelLink = (channelId: string) => `<#${channelId}>`

/** In mrkdwn: a link for each channel, which pings nobody. */
export function channelLines({ audit, approval }: Channels): readonly string[] {
  return [
    audit === undefined ? 'There is no audit channel.' : `The audit channel is ${channelLink(audit)}.`,
    approval === undefined
      ? 'There is no approval channel, so requests for approval stay in the channel where somebody asks.'
      : `The approval channel is ${channelLink(approval)}.`,
  ]
}

/** Sentences in place of the modal. Raw. */
export const whyNoSettings = {
  notAnAdmin:
    'Only admins of this workspace, and whoever installed Bellhop, can change its settings. Ask one of them.',
  gone: 'Bellhop is no longer installed here, so nothing was saved.',
  noForm: 'The settings are in a form. To open it, type /alert settings as a command.',
} as const

/** Where there is one workspace, and whoever runs the bot has set it up. */
export function renderByOperator(channels: Channels): Message {
  const by =
    'Whoever runs Bellhop sets these, with AUDIT_CHANNEL and APPROVAL_CHANNEL. Nobody can change them in Slack.'
  return sayMarked([...channelLines(channels), by].join('\n'))
}

/** Into a channel that was chosen. @param name - Who chose it, raw. */
export function renderChosen(what: 'audit' | 'approval', name: string): Message {
  return say(`${name} chose this channel in /alert settings. From now on, ${chosen[what]}`)
}

const chosen = {
  audit: 'Bellhop posts every grant and approval here.',
  approval: 'Bellhop posts every request for approval here.',
} as const
