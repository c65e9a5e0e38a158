// Forms of *Comment* and *Close alert*. Pure.
import type { KnownBlock } from '@slack/types'
import { keyBlock } from '../../alert/render/look-up.ts'
import { richText } from '../../alert/render/state.ts'
import type { AlertWrite } from '../../send/outcome.ts'
import type { View } from '../../slack/outbound/message.ts'
import { cut, literal, plain } from '../../slack/text/mrkdwn.ts'
import { longestComment } from '../acts.ts'

/** Callback id. */
export const actView = 'act.form'
/** The message shortcut’s callback id. */
export const addAsCommentShortcut = 'act.add-as-comment'
/** Block ids of the inputs; the alert’s key has that of other forms. */
export const textInput = 'text'
export const solutionInput = 'solution'

/** What either form holds when it opens. */
interface ActForm {
  readonly act: AlertWrite['kind']
  /** The form's `private_metadata`. */
  readonly state: string
  /** Which alert it is about, raw. Undefined where the form asks for its key. */
  readonly headline: string | undefined
  /** Raw. */
  readonly message: string
  readonly isSolution?: boolean | undefined
  /** Begins the key’s field, where there is one. Raw. */
  readonly typedKey?: string | undefined
  /** Links of alerts are set up. */
  readonly takesLinks?: boolean
  /** About the text, below it. Raw. */
  readonly notes?: readonly string[]
}

export const cutNote = `The message is longer than ${longestComment} characters. This is its beginning.`
export const maskedNote = 'I left out what looks like an API token. If it is one, revoke it in monitoring.'

/** Of a text that goes to monitoring. */
export const readByAll = `Up to ${longestComment} characters. Everybody who sees the alert in monitoring can read it.`

const solution = { text: plain('Keep as the solution (60 characters or more)'), value: 'solution' }
const mayReopen = 'If the trouble is still there, monitoring opens the alert again and assigns it to you.'

export function actModal(form: ActForm): View {
  const { act, state, headline, message, isSolution, typedKey, takesLinks = false, notes = [] } = form
  const isFirst = headline !== undefined
  const top = isFirst ? alertHeading(headline) : keyBlock(takesLinks, typedKey)
  if (act === 'comment') {
    const comment = textBlock(textInput, 'Comment', { message, isFirst, hint: readByAll })
    return {
      ...modalOf(actView, state, 'Comment on alert', 'Comment'),
      blocks: [top, comment, ...notes.map(formNote)],
    }
  }
  return {
    ...modalOf(actView, state, 'Close alert', 'Close alert'),
    blocks: [
      top,
      textBlock(textInput, 'What fixed it?', { message, isFirst, isOptional: true }),
      {
        ...{ type: 'input', block_id: solutionInput, optional: true, label: plain('Solution') },
        element: {
          ...{ type: 'checkboxes', action_id: solutionInput, options: [solution] },
          ...(isSolution ? { initial_options: [solution] } : {}),
        },
      },
      formNote(mayReopen),
    ],
  }
}

/** All but its blocks. @param state - Its `private_metadata`. */
export function modalOf(callbackId: string, state: string, title: string, submit: string) {
  return {
    type: 'modal' as const,
    callback_id: callbackId,
    private_metadata: state,
    title: plain(title),
    submit: plain(submit),
    close: plain('Cancel'),
  }
}

/** Which alert a form is about. @param headline - Raw. */
export function alertHeading(headline: string): KnownBlock {
  const text = cut(headline.replaceAll(/\s+/g, ' ').trim(), 300)
  return richText({ type: 'text', text, style: { bold: true } })
}

interface TextField {
  /** Begins it, raw. */
  readonly message: string
  /** Whoever opens the form can type at once. */
  readonly isFirst: boolean
  readonly isOptional?: boolean
  readonly hint?: string
}

/** A field of several lines. */
export function textBlock(
  id: string,
  label: string,
  { message, isFirst, isOptional = false, hint }: TextField,
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: isOptional,
    label: plain(label),
    ...(hint === undefined ? {} : { hint: plain(hint) }),
    element: {
      type: 'plain_text_input',
      action_id: id,
      multiline: true,
      focus_on_load: isFirst,
      ...(message === '' ? {} : { initial_value: message }),
    },
  }
}

/** A line below or above inputs. @param text - Raw. */
export function formNote(text: string): KnownBlock {
  return { type: 'context', elements: [literal(text)] }
}
