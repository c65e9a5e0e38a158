// Modals of alerts: the form that looks one up, and the pages of a history. Pure.
import type { KnownBlock } from '@slack/types'
import type { View } from '../slack/outbound/message.ts'
import { escapeText, mrkdwn, plain } from '../slack/text/mrkdwn.ts'

/** Of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
/** Block ids of the inputs. */
export const keyInput = 'ks'
export const postToInput = 'post-to'
export const liveInput = 'live'
const lookupTitle = plain('Look up an alert')

/** What the form holds when it opens. */
export interface LookupPrefill {
  /** The key, raw. */
  readonly typed: string
  /** Why the form is there again. Raw. */
  readonly problem?: string
  /** Undefined where the conversation that was chosen can't be named. */
  readonly channelId?: string | undefined
  readonly isWatched?: boolean
}

/** @param takesLinks - Whether links of alerts are set up. */
export function lookupModal(takesLinks: boolean, prefill?: LookupPrefill): View {
  const live = { text: plain('Keep it up to date'), value: 'live' }
  return {
    type: 'modal',
    callback_id: lookupView,
    title: lookupTitle,
    submit: plain('Look up'),
    close: plain('Cancel'),
    blocks: [
      ...(prefill?.problem === undefined ? [] : [section(escapeText(prefill.problem))]),
      keyBlock(takesLinks, prefill?.typed),
      {
        type: 'input',
        block_id: postToInput,
        // The Home tab and global shortcuts have no present conversation to begin with.
        optional: true,
        label: plain('Post to'),
        hint: plain('Leave it empty to get a direct message.'),
        element: {
          type: 'conversations_select',
          action_id: postToInput,
          default_to_current_conversation: true,
          response_url_enabled: true,
          ...(prefill?.channelId === undefined ? {} : { initial_conversation: prefill.channelId }),
        },
      },
      {
        type: 'input',
        block_id: liveInput,
        optional: true,
        label: plain('Live card'),
        hint: plain('The card updates itself, and new events appear in its thread.'),
        element: {
          type: 'checkboxes',
          action_id: liveInput,
          options: [live],
          ...(prefill?.isWatched ? { initial_options: [live] } : {}),
        },
      },
    ],
  }
}

/** In place of the form while the key is looked up. */
export function checkingKeyModal(): View {
  // Stays as it is when the bot is killed in the middle: another one does not know of this modal.
  const stalled = 'If nothing changes here for half a minute, close this and try again.'
  const blocks = [section('Checking…'), { type: 'context' as const, elements: [mrkdwn(stalled)] }]
  return { type: 'modal', title: lookupTitle, close: plain('Close'), blocks }
}

const checked = {
  found: 'Found it. You can close this: the card will appear where you asked for it.',
  connect: 'Connect your account first: Bellhop has sent you a message where you asked for the card.',
} as const

/** In place of `checkingKeyModal`, as no answer of Slack's closes it. */
export function keyCheckedModal(how: keyof typeof checked): View {
  return { type: 'modal', title: lookupTitle, close: plain('Close'), blocks: [section(checked[how])] }
}

/** @param takesLinks - Whether links of alerts are set up. @param typed - What stands there to begin with, raw. */
export function keyBlock(takesLinks: boolean, typed?: string): KnownBlock {
  return {
    type: 'input',
    block_id: keyInput,
    label: plain('Alert key'),
    hint: plain(`The alert’s key${takesLinks ? ' or its link' : ''}. No quotes needed for spaces.`),
    element: {
      type: 'plain_text_input',
      action_id: keyInput,
      max_length: 3000,
      focus_on_load: true,
      ...(typed ? { initial_value: typed } : {}),
    },
  }
}

/** Under *Post to*, where Slack has given no way into the direct message that was chosen. */
export const noWayThere =
  'Slack doesn’t let Bellhop post in that direct message. Choose a channel, or type /alert there.'

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}
