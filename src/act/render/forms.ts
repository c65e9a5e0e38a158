// Forms of *Comment* and *Close alert*. Pure.
import type { KnownBlock } from '@slack/types'
import { keyBlock } from '../../alert/render/look-up-form.ts'
import type { View } from '../../slack/outbound/message.ts'
import { cut, literal, plain } from '../../slack/text/mrkdwn.ts'
import { longestComment } from '../acts.ts'

/** Callback ids of the forms. */
export const commentView = 'act.comment-form'
export const closeView = 'act.close-form'
/** The message shortcut’s callback id. */
export const addAsCommentShortcut = 'act.add-as-comment'
/** Block ids of the inputs; the alert’s key has that of other forms. */
export const commentInput = 'comment'
export const whatItWasInput = 'what-it-was'
export const solutionInput = 'solution'

/** What either form holds when it opens. */
interface Prefill {
  /** The form's `private_metadata`. */
  readonly state: string
  /** Which alert it is about, raw. Undefined where the form asks for its key. */
  readonly headline: string | undefined
  /** Raw. */
  readonly message: string
}

export interface CommentPrefill extends Prefill {
  /** Begins the key’s field, where there is one. Raw. */
  readonly typedKey?: string | undefined
  /** Links of alerts are set up. */
  readonly takesLinks?: boolean
  /** About the text, below it. Raw. */
  readonly notes?: readonly string[]
}

export const cutNote = `The message is longer than ${longestComment} characters. This is its beginning.`
export const maskedNote =
  'Bellhop left out what looks like an API token. If it is one, revoke it in monitoring.'

/** Of a text that goes to monitoring. */
export const readByAll = `Up to ${longestComment} characters. Everybody who sees the alert in monitoring can read it.`

export function commentModal(prefill: CommentPrefill): View {
  const { state, headline, typedKey, takesLinks = false, message, notes = [] } = prefill
  return {
    type: 'modal',
    callback_id: commentView,
    private_metadata: state,
    title: plain('Comment on alert'),
    submit: plain('Comment'),
    close: plain('Cancel'),
    blocks: [
      headline === undefined ? keyBlock(takesLinks, typedKey) : alertHeading(headline),
      {
        type: 'input',
        block_id: commentInput,
        label: plain('Comment'),
        hint: plain(readByAll),
        element: textField(commentInput, message, headline !== undefined),
      },
      ...notes.map(formNote),
    ],
  }
}

const solution = { text: plain('This is the solution'), value: 'solution' }

export function closeModal({
  state,
  headline,
  message,
  isSolution = false,
}: Prefill & { readonly isSolution?: boolean }): View {
  return {
    type: 'modal',
    callback_id: closeView,
    private_metadata: state,
    title: plain('Close alert'),
    submit: plain('Close alert'),
    close: plain('Cancel'),
    blocks: [
      ...(headline === undefined ? [] : [alertHeading(headline)]),
      {
        type: 'input',
        block_id: whatItWasInput,
        optional: true,
        label: plain('What was it?'),
        element: textField(whatItWasInput, message, true),
      },
      {
        type: 'input',
        block_id: solutionInput,
        optional: true,
        label: plain('Solution'),
        hint: plain('Most containers want at least 60 characters for a solution.'),
        element: {
          type: 'checkboxes',
          action_id: solutionInput,
          options: [solution],
          ...(isSolution ? { initial_options: [solution] } : {}),
        },
      },
      formNote('If the trouble is still there, monitoring opens the alert again and assigns it to you.'),
    ],
  }
}

/** Which alert a form is about. @param headline - Raw. */
export function alertHeading(headline: string): KnownBlock {
  const text = cut(headline.replaceAll(/\s+/g, ' ').trim(), 300)
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] }],
  }
}

/** A field of several lines. @param isFirst - Whoever opens the form can type at once. */
export function textField(actionId: string, message: string, isFirst: boolean) {
  return {
    type: 'plain_text_input' as const,
    action_id: actionId,
    multiline: true,
    focus_on_load: isFirst,
    ...(message === '' ? {} : { initial_value: message }),
  }
}

/** A line below or above inputs. @param text - Raw. */
export function formNote(text: string): KnownBlock {
  return { type: 'context', elements: [literal(text)] }
}
