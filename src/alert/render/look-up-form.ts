// The form that looks an alert up: opened anywhere, or from a message for its thread; with a key to type, or a choice
// between the alerts that the message is about. Pure.
import type { KnownBlock } from '@slack/types'
import type { View } from '../../slack/outbound/message.ts'
import { cut, literal, mrkdwn, plain, utc } from '../../slack/text/mrkdwn.ts'
import { keyInLink, looksLikeLink } from '../link.ts'
import type { CardSettings } from './card.ts'
import { type ShortList, wordsFor } from './open-list.ts'
import type { SeverityNames } from './state.ts'

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
  const offered = open === undefined ? [] : openBlocks(settings, open)
  const asked = choices.map((one) => ({ words: nameIn(one, settings.alertUrl), value: one }))
  const inMessage = choiceBlock('Alert key', 'That message is about several alerts.', asked)
  return {
    type: 'modal',
    callback_id: lookupView,
    ...(inThread === undefined ? {} : { private_metadata: inThread }),
    title: plain('Look up an alert'),
    submit: plain('Look up'),
    close: plain('Cancel'),
    blocks:
      inThread === undefined
        ? [keyBlock(takesLinks, typed, offered.length > 0), ...offered, postToBlock]
        : inMessage.length > 0
          ? inMessage
          : [{ type: 'section', text: mrkdwn(noAlert) }, keyBlock(takesLinks)],
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

/** One of those that are open, instead of a key. None where nothing is. */
function openBlocks(settings: SeverityNames, { alerts, container }: ShortList): readonly KnownBlock[] {
  const asked = alerts.map((alert) => ({ words: wordsFor(settings, alert), value: alert.ks }))
  return choiceBlock('Or one that is open', `In ${container}, worst first.`, asked)
}

/** As Slack takes them, of an option's value too. */
const most = { options: 100, radios: 10, words: 75, value: 150, hint: 150 } as const

/** None where there is nothing to choose from. @param asked - Raw. */
function choiceBlock(
  label: 'Alert key' | 'Or one that is open',
  hint: string,
  asked: readonly { readonly words: string; readonly value: string }[],
): KnownBlock[] {
  const options = asked
    .filter(({ value }) => value.length <= most.value)
    .slice(0, most.options)
    .map(({ words, value }) => ({ text: literal(cut(words, most.words)), value }))
  if (options.length === 0) return []
  const isShort = label === 'Alert key' && options.length <= most.radios
  const type = isShort ? 'radio_buttons' : 'static_select'
  const element = { type, action_id: choiceInput, options } as const
  const optional = label !== 'Alert key'
  return [
    {
      ...{ type: 'input', block_id: choiceInput, optional },
      ...{ label: plain(label), hint: literal(cut(hint, most.hint)), element },
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

/** What people can tell two links by; the alert itself is not known yet. @param one - A key, or a link. */
function nameIn(one: string, alertUrl: string | undefined): string {
  const read = looksLikeLink(one, alertUrl) ? keyInLink(one, alertUrl) : undefined
  if (read === undefined || !('link' in read)) return one
  const { asset, item, timestamp } = read.link
  const parts = [`Asset ${asset}`, ...(item === undefined ? [] : [cut(item, 30)]), utc(Number(timestamp))]
  return parts.join(', ')
}
