// Modals of the message shortcut: a choice between the alerts that were found, or the form when none was. Pure.
import type { View } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain, utc } from '../../slack/text/mrkdwn.ts'
import type { AlertLink } from '../link.ts'
import { keyBlock } from '../modal.ts'

/** The shortcut's callback id. */
export const messageShortcut = 'alert.look-up-in-message'
export const threadView = 'alert.look-up-in-thread'
export const choiceView = 'alert.choose'
/** Block id of the choice. */
export const choiceInput = 'choice'

const most = { radios: 10, optionText: 75 } as const

const title = plain('Look up an alert')
const submit = plain('Look up')
const close = plain('Cancel')

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
    title,
    submit,
    close,
    blocks: [
      {
        type: 'section',
        text: mrkdwn(why ?? (guess === undefined ? noAlert(isWhole) : isItThisOne)),
      },
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
    title,
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
