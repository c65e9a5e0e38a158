// The form that looks an alert up: opened anywhere, or from a message for its thread; with a key to type, or a choice
// between the alerts that the message is about. Pure.
import type { KnownBlock } from '@slack/types'
import { button, describe, type Message, type View } from '../../slack/outbound/message.ts'
import { cut, limits, literal, mrkdwn, plain, utc } from '../../slack/text/mrkdwn.ts'
import { keyInLink, looksLikeLink } from '../link.ts'
import type { CardSettings } from './card.ts'
import { type ShortList, wordsFor } from './open-list.ts'

/** Of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
/** The message shortcut's callback id. */
export const messageShortcut = 'alert.look-up-in-message'
/** Block ids of the inputs. */
export const keyInput = 'ks'
export const choiceInput = 'choice'
export const postToInput = 'post-to'

/**
 * @param form.typed - The key that it begins with, raw.
 * @param form.open - What is open where they looked last: nobody knows a key by heart.
 * @param form.inThread - From a message: `private_metadata` says where the card goes.
 * @param form.choices - Keys, or links that hold none, to choose from.
 */
export function lookupModal(
  settings: Pick<CardSettings, 'alertUrl' | 'severityNames'>,
  form: {
    typed?: string | undefined
    open?: ShortList | undefined
    inThread?: string
    choices?: readonly string[]
  },
): View {
  const { typed, open, inThread, choices = [] } = form
  const takesLinks = settings.alertUrl !== undefined
  return {
    type: 'modal',
    callback_id: lookupView,
    ...(inThread !== undefined && { private_metadata: inThread }),
    title: plain('Look up an alert'),
    submit: plain('Look up'),
    close: plain('Cancel'),
    blocks: inThread === undefined ? anywhere() : inMessage(),
  }

  function anywhere(): KnownBlock[] {
    const listed = open?.alerts.map((one) => [wordsFor(settings, one), one.ks] as const) ?? []
    const hint = `In ${open?.container}, worst first.`
    const offered = choiceBlock('Or one that is open', hint, listed, true)
    return [keyBlock(takesLinks, typed, offered.length > 0), ...offered, postToBlock]
  }

  function inMessage(): KnownBlock[] {
    const named = choices.map((one) => [nameIn(one, settings.alertUrl), one] as const)
    const offered = choiceBlock('Alert key', 'That message is about several alerts.', named, false)
    const noAlert = 'I found no alert in that message. Which one do you mean?'
    return offered.length > 0 ? offered : [{ type: 'section', text: mrkdwn(noAlert) }, keyBlock(takesLinks)]
  }
}

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

const longestHint = 150

/** None where there is nothing to choose from. @param asked - Words for each, raw, and its value. */
function choiceBlock(
  label: string,
  hint: string,
  asked: readonly (readonly [words: string, value: string])[],
  isOptional: boolean,
): KnownBlock[] {
  const options = asked
    .filter(([, value]) => value.length <= limits.optionValue)
    .slice(0, limits.selectOptions)
    .map(([words, value]) => ({ text: literal(cut(words, limits.optionText)), value }))
  if (options.length === 0) return []
  const element = { type: 'static_select', action_id: choiceInput, options } as const
  const words = { label: plain(label), hint: literal(cut(hint, longestHint)) }
  return [{ type: 'input', block_id: choiceInput, optional: isOptional, ...words, element }]
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

/** What people can tell two links by; the alert itself is not known yet. @param one - A key, or a link. */
function nameIn(one: string, alertUrl: string | undefined): string {
  const read = looksLikeLink(one, alertUrl) ? keyInLink(one, alertUrl) : undefined
  if (read === undefined || !('link' in read)) return one
  const { asset, item, timestamp } = read.link
  const parts = [`Asset ${asset}`, ...(item === undefined ? [] : [cut(item, 30)]), utc(Number(timestamp))]
  return parts.join(', ')
}

/** Action id of the button that opens the form. */
export const openFormAction = 'alert.open-form'

/** Where no form can be opened by itself. */
export function renderFormOffer(): Message {
  const example = { type: 'text', text: 'alert 5HkX', style: { code: true } } as const
  return describe({
    lines: [['Which alert? Add its key, as in ', example, ', or open the form.']],
    buttons: [button(openFormAction, 'Look up an alert', 'form')],
  })
}
