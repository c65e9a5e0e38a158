// The modal in which admins choose the channels of their workspace, and what comes of it. Pure.
import type { KnownBlock } from '@slack/types'
import type { View } from '../slack/outbound/message.ts'
import { mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import type { Channels } from '../slack/workspace/channels.ts'
import { channelLines, channelLink } from './render.ts'

export const settingsView = 'install.settings'
/** Block ids of the inputs. */
export const channelInputs = { audit: 'audit', approval: 'approval' } as const
/** Its options are named as those inputs. */
export const takenInput = 'taken'

const title = plain('Settings')

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** Shown while Slack is asked, or told. */
export function waitingModal(what: 'Loading…' | 'Saving…'): View {
  return { type: 'modal', title, close: plain('Close'), blocks: [section(what)] }
}

export function settingsModal(channels: Channels): View {
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
      ...takenBlocks(channels),
      section('Before you choose a private channel, type /invite @Bellhop in it.'),
    ],
  }
}

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
      : `Slack didn’t let Bellhop post in ${channelLink(channelId)}. If that doesn’t change, choose another channel.`,
  )
}

export function savedModal(channels: Channels, unreachable: readonly Unreachable[]): View {
  const said = ['Saved.', ...channelLines(channels), ...unreachableLines(unreachable)]
  return { type: 'modal', title, close: plain('Close'), blocks: said.map(section) }
}

/** @param problem - One sentence. */
export function refusedModal(problem: string): View {
  return { type: 'modal', title, close: plain('Close'), blocks: [section(problem)] }
}
