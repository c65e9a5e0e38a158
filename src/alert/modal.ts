// Modals of alerts: the form that looks one up, and the pages of a history. Pure.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import type { Alert } from '../monitor/schema.ts'
import type { Names } from '../names/names.ts'
import type { View } from '../slack/outbound/message.ts'
import { cut, escapeText, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import { actionsPerPage, pageBlocks } from './render/history.ts'

/** Of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
/** Block ids of the inputs. */
export const keyInput = 'ks'
export const postToInput = 'post-to'
export const liveInput = 'live'
/** Action ids of the history's buttons. */
export const pageActions = { earlier: 'alert.page-earlier', later: 'alert.page-later' } as const

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

const historyTitle = plain('Alert history')

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** Shown while the service is asked. */
export function loadingHistoryModal(): View {
  return { type: 'modal', title: historyTitle, close: plain('Close'), blocks: [section('Loading…')] }
}

/** @param problem - One sentence, raw. */
export function failedHistoryModal(problem: string): View {
  return { type: 'modal', title: historyTitle, close: plain('Close'), blocks: [section(escapeText(problem))] }
}

/**
 * One page of the history.
 * @param from - Index of the page's first action, counted from the oldest; brought into range.
 * @param names - As its reader’s own token has shown them.
 */
export function historyModal(cardId: string, alert: Alert, from: number, names: Names): View {
  const { actions } = alert
  const start = Math.max(0, Math.min(from, actions.length - 1))
  const page = actions.slice(start, start + actionsPerPage)
  const range =
    page.length === 0
      ? 'Monitoring no longer has any actions for this alert.'
      : `Actions ${start + 1} to ${start + page.length} of ${actions.length}, oldest first`
  const turns: ActionsBlockElement[] = []
  if (start > 0) {
    const earlier = String(Math.max(0, start - actionsPerPage))
    turns.push({
      type: 'button',
      action_id: pageActions.earlier,
      text: plain('Show earlier'),
      value: earlier,
    })
  }
  if (start + page.length < actions.length) {
    const later = String(start + page.length)
    turns.push({ type: 'button', action_id: pageActions.later, text: plain('Show later'), value: later })
  }
  return {
    type: 'modal',
    title: historyTitle,
    close: plain('Close'),
    private_metadata: JSON.stringify({ cardId }),
    blocks: [
      section(`*${escapeText(cut(alert.lastMessage, 200)) || escapeText(cut(alert.ks, 200))}*`),
      { type: 'context', elements: [mrkdwn(range)] },
      ...pageBlocks(page, names),
      ...(turns.length === 0 ? [] : [{ type: 'actions' as const, elements: turns }]),
    ],
  }
}

/** The page that ends right before those that are shown already. @param older - How many are older than those. */
export function pageBefore(older: number): number {
  return Math.max(0, older - actionsPerPage)
}
