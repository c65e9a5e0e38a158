// Forms that look an alert up: the one that opens anywhere; from a message, one for its thread, or a choice between the
// alerts that it is about. Pure.
import type { KnownBlock } from '@slack/types'
import type { View } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain, utc } from '../../slack/text/mrkdwn.ts'
import type { AlertLink } from '../link.ts'

/** Of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
/** Block ids of the inputs. */
export const keyInput = 'ks'
export const postToInput = 'post-to'
export const liveInput = 'live'
const lookupTitle = plain('Look up an alert')
const submit = plain('Look up')
const close = plain('Cancel')

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
    submit,
    close,
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

/** The shortcut's callback id. */
export const messageShortcut = 'alert.look-up-in-message'
export const threadView = 'alert.look-up-in-thread'
export const choiceView = 'alert.choose'
/** Block id of the choice. */
export const choiceInput = 'choice'

const most = { radios: 10, optionText: 75 } as const

/**
 * @param privateMetadata - Where the card goes.
 * @param takesLinks - Whether links of alerts are set up.
 * @param seen.guess - What in the message may be a key.
 * @param seen.isWhole - The whole message was read.
 * @param seen.problem - Why the form is there again, raw.
 */
export function threadModal(
  privateMetadata: string,
  takesLinks: boolean,
  {
    guess,
    isWhole,
    problem,
  }: { readonly guess: string | undefined; readonly isWhole: boolean; readonly problem?: string },
): View {
  const why = problem === undefined ? undefined : escapeText(problem)
  return {
    type: 'modal',
    callback_id: threadView,
    private_metadata: privateMetadata,
    title: lookupTitle,
    submit,
    close,
    blocks: [
      section(why ?? (guess === undefined ? noAlert(isWhole) : isItThisOne)),
      keyBlock(takesLinks, guess),
    ],
  }
}

/** What people can tell two links by; the alert itself is not known yet. */
function nameIn({ asset, item, timestamp }: AlertLink): string {
  const when = utc(Number(timestamp))
  return item === undefined ? `Asset ${asset}, ${when}` : `Asset ${asset}, ${cut(item, 30)}, ${when}`
}

const isItThisOne = 'Bellhop isn’t sure which alert that message is about. Is it this one?'

function noAlert(isWhole: boolean): string {
  return isWhole
    ? 'Bellhop found no alert in that message. Which one do you mean?'
    : 'That message is too long to read in full, and Bellhop found no alert in its first part. Which one do you mean?'
}

/** @param keys - Two at least, or links that hold none. Each is chosen by its place in the list. */
export function choiceModal(privateMetadata: string, keys: readonly (string | AlertLink)[]): View {
  const options = keys.map((key, index) => ({
    text: literal(cut(typeof key === 'string' ? key : nameIn(key), most.optionText)),
    value: String(index),
  }))
  return {
    type: 'modal',
    callback_id: choiceView,
    private_metadata: privateMetadata,
    title: lookupTitle,
    submit,
    close,
    blocks: [
      {
        type: 'input',
        block_id: choiceInput,
        label: plain('Alert key'),
        hint: plain('That message is about several alerts.'),
        element:
          options.length <= most.radios
            ? { type: 'radio_buttons', action_id: choiceInput, options }
            : { type: 'static_select', action_id: choiceInput, options },
      },
    ],
  }
}
