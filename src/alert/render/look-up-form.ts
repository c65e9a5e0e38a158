// The form that looks an alert up: opened anywhere, or from a message for its thread; with a key to type, or a choice
// between the alerts that the message is about. Pure.
import type { KnownBlock } from '@slack/types'
import type { View } from '../../slack/outbound/message.ts'
import { cut, literal, mrkdwn, plain, utc } from '../../slack/text/mrkdwn.ts'
import type { AlertLink } from '../link.ts'
import { type ShortList, wordsFor } from './open-list.ts'
import type { SeverityNames } from './state.ts'

/** Of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
/** The message shortcut's callback id. */
export const messageShortcut = 'alert.look-up-in-message'
/** Block ids of the inputs. */
export const keyInput = 'ks'
export const choiceInput = 'choice'
export const openInput = 'open'
export const postToInput = 'post-to'
export const liveInput = 'live'

export interface LookupForm {
  /** Whether links of alerts are set up. */
  readonly takesLinks: boolean
  /** The key that it begins with, raw. */
  readonly typed?: string | undefined
  /** What is open where they looked last: nobody knows a key by heart. */
  readonly open?: ShortList | undefined
  /** From a message: `private_metadata` says where the card goes. */
  readonly inThread?: string
  /** Keys, or links that hold none, to choose from, two at least. Each is chosen by its place in the list. */
  readonly choices?: readonly (string | AlertLink)[] | undefined
}

export function lookupModal(
  settings: SeverityNames,
  { takesLinks, typed, open, inThread, choices }: LookupForm,
): View {
  const offered = open === undefined ? [] : openBlocks(settings, open)

  return {
    type: 'modal',
    callback_id: lookupView,
    ...(inThread === undefined ? {} : { private_metadata: inThread }),
    title: plain('Look up an alert'),
    submit: plain('Look up'),
    close: plain('Cancel'),
    blocks:
      choices !== undefined
        ? [choiceBlock(choices)]
        : inThread !== undefined
          ? [{ type: 'section', text: mrkdwn(noAlert) }, keyBlock(takesLinks)]
          : [keyBlock(takesLinks, typed, offered.length > 0), ...offered, postToBlock, liveBlock],
  }
}

const noAlert = 'I found no alert in that message. Which one do you mean?'

const postToBlock: KnownBlock = {
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
  },
}

const liveBlock: KnownBlock = {
  type: 'input',
  block_id: liveInput,
  optional: true,
  label: plain('Live card'),
  hint: plain('The card updates itself, and new events appear in its thread.'),
  element: {
    type: 'checkboxes',
    action_id: liveInput,
    options: [{ text: plain('Keep it up to date'), value: 'live' }],
  },
}

const mostOffered = 100
/** Slack takes no longer value of an option. */
const longestOffered = 150

/** One of those that are open, instead of a key. None where nothing is. */
function openBlocks(settings: SeverityNames, { alerts, container }: ShortList): readonly KnownBlock[] {
  const options = alerts
    .filter(({ ks }) => ks.length <= longestOffered)
    .slice(0, mostOffered)
    .map((alert) => ({
      text: literal(cut(wordsFor(settings, alert), most.optionText)),
      value: alert.ks,
    }))
  if (options.length === 0) return []
  return [
    {
      type: 'input',
      block_id: openInput,
      optional: true,
      label: plain('Or one that is open'),
      hint: literal(cut(`In ${container}, worst first.`, 150)),
      element: { type: 'static_select', action_id: openInput, options },
    },
  ]
}

/**
 * @param takesLinks - Whether links of alerts are set up. @param typed - What stands there to begin with, raw.
 * @param isOptional - Something else may be chosen instead.
 */
export function keyBlock(takesLinks: boolean, typed?: string, isOptional = false): KnownBlock {
  return {
    type: 'input',
    block_id: keyInput,
    optional: isOptional,
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
  'Slack doesn’t let me post in that direct message. Choose a channel, or type /alert there.'

const most = { radios: 10, optionText: 75 } as const

function choiceBlock(choices: readonly (string | AlertLink)[]): KnownBlock {
  const options = choices.map((one, index) => ({
    text: literal(cut(typeof one === 'string' ? one : nameIn(one), most.optionText)),
    value: String(index),
  }))
  return {
    type: 'input',
    block_id: choiceInput,
    label: plain('Alert key'),
    hint: plain('That message is about several alerts.'),
    element:
      options.length <= most.radios
        ? { type: 'radio_buttons', action_id: choiceInput, options }
        : { type: 'static_select', action_id: choiceInput, options },
  }
}

/** What people can tell two links by; the alert itself is not known yet. */
function nameIn({ asset, item, timestamp }: AlertLink): string {
  const when = utc(Number(timestamp))
  return item === undefined ? `Asset ${asset}, ${when}` : `Asset ${asset}, ${cut(item, 30)}, ${when}`
}
