// Messages and modals about settings: where admins choose the channels of their workspace and whom requests mention,
// and what became of their choice. Pure.

import type { KnownBlock } from '@slack/types'
import { type Message, say, sayMarked, type View } from '../slack/outbound/message.ts'
import { type MentionIds, mentionLinks, mostMentioned, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import type { Channels } from '../slack/workspace/channels.ts'

export const settingsView = 'install.settings'
/** Block ids of the inputs. */
export const channelInputs = { audit: 'audit', approval: 'approval' } as const
/** Its options are named as those inputs. */
export const takenInput = 'taken'
export const mentionInput = 'mention'

const title = plain('Settings')

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** Shown while Slack is asked, or told. */
export function waitingModal(what: 'Loading…' | 'Saving…'): View {
  return { type: 'modal', title, close: plain('Close'), blocks: [section(what)] }
}

export function settingsModal(channels: Channels, mention: MentionIds): View {
  return {
    type: 'modal',
    callback_id: settingsView,
    title,
    submit: plain('Save'),
    close: plain('Cancel'),
    blocks: [
      channelBlock('audit', 'Audit channel', 'Gets one line for every grant and approval.', channels.audit),
      channelBlock(
        'approval',
        'Approval channel',
        'Gets every request for approval. Without one, requests stay in the channel where somebody asks.',
        channels.approval,
      ),
      mentionBlock(mention),
      ...takenBlocks(channels),
      section('Before you choose a private channel, type /invite @Bellhop in it.'),
    ],
  }
}

/** Slack offers no menu of user groups. */
function mentionBlock(mention: MentionIds): KnownBlock {
  return {
    type: 'input',
    block_id: mentionInput,
    optional: true,
    label: plain('Mention'),
    hint: plain(
      'People or user groups to mention with each request, and an hour before it expires. Paste their IDs, such as U0123ABCDEF or S0123ABCDEF, separated by commas.',
    ),
    element: {
      type: 'plain_text_input',
      action_id: mentionInput,
      placeholder: plain('Nobody'),
      ...(mention.length === 0 ? {} : { initial_value: mention.join(', ') }),
    },
  }
}

/** At the input. */
export const badMention = `Paste at most ${mostMentioned} IDs of people (U…) or user groups (S…). To copy an ID, open the menu of a profile or user group.`

/** A menu cannot say that there is none: it is also empty where somebody may not see what is chosen. */
function takenBlocks(channels: Channels): readonly KnownBlock[] {
  const options = [
    { text: plain('Audit channel'), value: channelInputs.audit },
    { text: plain('Approval channel'), value: channelInputs.approval },
  ].filter(({ value }) => channels[value] !== undefined)
  if (options.length === 0) return []
  const hint =
    'If you leave a menu above empty, its channel stays. A menu also looks empty if you aren’t in its private channel.'
  return [
    {
      type: 'input',
      block_id: takenInput,
      optional: true,
      label: plain('Stop posting to'),
      hint: plain(hint),
      element: { type: 'checkboxes', action_id: takenInput, options },
    },
  ]
}

/** Left empty, it stays as it is. */
function channelBlock(
  input: keyof typeof channelInputs,
  label: string,
  hint: string,
  channelId: string | undefined,
): KnownBlock {
  return {
    type: 'input',
    block_id: channelInputs[input],
    optional: true,
    label: plain(label),
    hint: plain(hint),
    element: {
      type: 'conversations_select',
      action_id: channelInputs[input],
      placeholder: plain('No channel'),
      // What Bellhop posts there is nobody else's business.
      filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
      ...(channelId === undefined ? {} : { initial_conversation: channelId }),
    },
  }
}

/** A channel that was chosen, in which the bot could not say so. */
export interface Unreachable {
  readonly channelId: string
  /** It is not a member there. */
  readonly isInviteNeeded: boolean
}

/** In mrkdwn, a sentence or two for each. */
export function unreachableLines(unreachable: readonly Unreachable[]): readonly string[] {
  return unreachable.map(({ channelId, isInviteNeeded }) =>
    isInviteNeeded
      ? `Bellhop can’t post in ${channelLink(channelId)} yet. Type /invite @Bellhop there.`
      : `Slack doesn’t let Bellhop post in ${channelLink(channelId)}. Choose another channel if it stays that way.`,
  )
}

export function savedModal(
  channels: Channels,
  mention: MentionIds,
  unreachable: readonly Unreachable[],
): View {
  const mentioned = mention.length === 0 ? [] : [`Requests for approval mention ${mentionLinks(mention)}.`]
  const said = ['Saved.', ...channelLines(channels), ...mentioned, ...unreachableLines(unreachable)]
  return { type: 'modal', title, close: plain('Close'), blocks: said.map(section) }
}

/** @param problem - One sentence. */
export function refusedModal(problem: string): View {
  return { type: 'modal', title, close: plain('Close'), blocks: [section(problem)] }
}

const channelLink = (channelId: string) => `<#${channelId}>`

/** In mrkdwn: a link for each channel, which pings nobody. */
function channelLines({ audit, approval }: Channels): readonly string[] {
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
