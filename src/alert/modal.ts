// Modals of alerts: the form that looks one up, and the pages of a history. Pure.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import type { Alert } from '../monitor/schema.ts'
import type { View } from '../slack/outbound/message.ts'
import { cut, escapeText, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import { actionsPerPage, pageBlocks } from './render/history.ts'

/** Of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
/** Block ids of the inputs. */
export const keyInput = 'ks'
export const postToInput = 'post-to'
/** Action ids of the history's buttons. */
export const pageActions = { earlier: 'alert.page-earlier', later: 'alert.page-later' } as const

/** @param takesLinks - Whether links of alerts are set up. */
export function lookupModal(takesLinks: boolean): View {
  return {
    type: 'modal',
    callback_id: lookupView,
    title: plain('Look up an alert'),
    submit: plain('Look up an alert'),
    close: plain('Cancel'),
    blocks: [
      keyBlock(takesLinks),
      {
        type: 'input',
        block_id: postToInput,
        label: plain('Post to'),
        element: {
          type: 'conversations_select',
          action_id: postToInput,
          default_to_current_conversation: true,
          response_url_enabled: true,
        },
      },
    ],
  }
}

/** @param takesLinks - Whether links of alerts are set up. @param typed - What stands there to begin with, raw. */
export function keyBlock(takesLinks: boolean, typed?: string): KnownBlock {
  return {
    type: 'input',
    block_id: keyInput,
    label: plain('Alert key'),
    hint: plain(`${takesLinks ? 'The key or the link' : 'The key'} of the alert. Spaces need no quotes.`),
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
  'Slack gave Bellhop no way to post in that direct message. Choose a channel, or type /alert there.'

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
 */
export function historyModal(cardId: string, alert: Alert, from: number): View {
  const { actions } = alert
  const start = Math.max(0, Math.min(from, actions.length - 1))
  const page = actions.slice(start, start + actionsPerPage)
  const range =
    page.length === 0
      ? 'No actions yet.'
      : `Actions ${start + 1} to ${start + page.length} of ${actions.length}, oldest on top`
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
      ...pageBlocks(page),
      ...(turns.length === 0 ? [] : [{ type: 'actions' as const, elements: turns }]),
    ],
  }
}

/** The page that ends right before those that are shown already. @param older - How many are older than those. */
export function pageBefore(older: number): number {
  return Math.max(0, older - actionsPerPage)
}
