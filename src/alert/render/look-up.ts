// Draws the look-up form, opened anywhere or from a message for its thread, and the answers that stand in for a card. Pure.
import type { KnownBlock } from '@slack/types'
import { moreWords, pageOf, partOf, renderPage } from '../../slack/outbound/list.ts'
import {
  button,
  describe,
  formView,
  input,
  type Message,
  say,
  section,
  textElement,
  type View,
} from '../../slack/outbound/message.ts'
import { cut, limits, literal, utc } from '../../slack/text/mrkdwn.ts'
import { quoteLast, withoutSecrets } from '../../slack/text/typed.ts'
import { type KeyAsk, type Lookup, lineFor, type Meant } from '../input.ts'
import { keyInLink, looksLikeLink } from '../link.ts'
import type { CardSettings } from './card.ts'
import { alertRow, type ShortList, wordsFor } from './open-list.ts'
import type { SeverityNames } from './state.ts'

/** Callback id of the modal, and of the global shortcut that opens it. */
export const lookupView = 'alert.look-up'
export const messageShortcut = 'alert.look-up-in-message'
/** Block ids. */
export const keyInput = 'ks'
export const choiceInput = 'choice'
export const postToInput = 'post-to'

/**
 * @param typed - Prefilled key, raw.
 * @param open - Alerts to choose from, of the container used last: nobody knows keys by heart.
 */
export function lookupModal(settings: CardSettings, typed?: string, open?: ShortList): View {
  const listed = open?.alerts.map((one) => [wordsFor(settings, one), one.ks] as const) ?? []
  const offered = choiceBlock(
    'Or one that is open',
    `In ${open?.container}, worst first.`,
    listed,
    true,
  )
  const key = keyBlock(settings.alertUrl !== undefined, typed, offered.length > 0)

  return lookupForm([key, ...offered, postToBlock])
}

/**
 * The form, opened from a message.
 * @param inThread - The message’s thread, where the card goes, as the form’s metadata.
 * @param choices - The alerts that the message mentions: their keys, or links that hold no key.
 */
export function lookupInThread(
  { alertUrl }: CardSettings,
  inThread: string,
  choices: readonly string[],
): View {
  const named = choices.map((one) => [nameOfKey(one, alertUrl), one] as const)
  const offered = choiceBlock('Alert key', 'That message is about several alerts.', named, false)
  const noAlert = section('I found no alert in that message. Which one do you mean?')

  return lookupForm(
    offered.length > 0 ? offered : [noAlert, keyBlock(alertUrl !== undefined)],
    inThread,
  )
}

function lookupForm(blocks: KnownBlock[], privateMetadata = ''): View {
  return formView(lookupView, 'Look up an alert', privateMetadata, blocks, 'Look up')
}

const postToBlock = input(
  postToInput,
  'Post to',
  {
    type: 'conversations_select',
    action_id: postToInput,
    default_to_current_conversation: true,
    response_url_enabled: true,
  },
  // The Home tab and global shortcuts have no present conversation, so the field is empty there.
  { hint: 'Leave it empty to get a direct message.', isOptional: true },
)

const longestHint = 150

/** A menu; no block if there is nothing to choose. @param asked - The choices, each with its words, raw, and its value. */
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
  return [input(choiceInput, label, element, { hint: cut(hint, longestHint), isOptional })]
}

/** @param typed - Prefilled key, raw. @param isOptional - True if an alert can be chosen from a menu instead. */
export function keyBlock(takesLinks: boolean, typed?: string, isOptional = false): KnownBlock {
  const hint = `The alert’s key${takesLinks ? ' or its link' : ''}. No quotes needed for spaces.`
  const element = textElement(keyInput, typed, { max_length: 3000, focus_on_load: true })
  return input(keyInput, 'Alert key', element, { hint, isOptional })
}

/** Shown under *Post to* if Slack gives the bot no way into the chosen direct message. */
export const noWayThere =
  'Slack doesn’t let me post in that direct message. Choose a channel, or type /alert there.'

/**
 * Words for a choice. A link has no key yet, so its asset, item and time tell it from others.
 * @param one - A key, or a link.
 */
function nameOfKey(one: string, alertUrl: string | undefined) {
  const read = looksLikeLink(one, alertUrl) ? keyInLink(one, alertUrl) : undefined
  if (!read || !('link' in read)) return one

  const { asset, item, timestamp } = read.link
  return [`Asset ${asset}`, item && cut(item, 30), utc(timestamp)].filter(Boolean).join(', ')
}

export const openFormAction = 'alert.open-form'

export function renderLookUpOffer(): Message {
  const example = { type: 'text', text: 'alert 5HkX', style: { code: true } } as const
  return describe({
    lines: [['Which alert? Add its key, as in ', example, ', or open the form.']],
    buttons: [button(openFormAction, 'Look up an alert', 'form')],
  })
}

/** Shown to whoever wants to change or list alerts, if Bellhop only reads single alerts. Raw. */
export const onlyReads =
  'I only read alerts here, one at a time. Whoever runs me has set MONITOR_OPERATIONS to basic, so use monitoring itself.'

export const askAgainAction = 'alert.ask-again'

const longestName = 60

/** Shortens a key, and leaves out what may be a secret. Raw. */
function keyInWords(ks: string) {
  return cut(withoutSecrets(ks), longestName)
}

/** Answers a line that can’t be read: why, what may have been meant, and the text that was typed. */
export function renderProblem({
  problem,
  meant,
  said,
}: Extract<KeyAsk, { kind: 'problem' }>): Message {
  const name = keyInWords(meant?.name ?? '')
  const label = cut(`${meant?.verb} ${name}`, limits.buttonText)
  // If the whole line stands below, to be copied, the question doesn’t repeat it.
  const suggested = meant && said?.startsWith(meant.name) ? 'this' : name
  const hasButton = meant && meant.line.length <= limits.buttonValue

  return describe({
    lines: [meant ? `${problem} Did you mean ${suggested}?` : problem],
    toCopy: said,
    buttons: [hasButton && button(askAgainAction, label, meant.line)],
  })
}

/** @param said - Text that was typed behind the key, given back to be copied. */
export function renderNoAlert(ks: string, meant: Meant | undefined, said?: string): Message {
  const advice = meant ? '' : ' Check the key, capitals included.'
  const problem = `There’s no alert ${quoteLast(ks)}${advice}`
  return renderProblem({ kind: 'problem', problem, meant, said })
}

/** @param problem - Raw. */
export function renderTryAgain(problem: string, lookup: Lookup): Message {
  const again = button(askAgainAction, 'Try again', lineFor(lookup))
  return describe({ lines: [problem], buttons: [again] })
}

export const noAlertMatches =
  'No open alert matches that link. It may be closed, or you may not have access. If you know its key, use that: it works for closed alerts too.'
export const noLists =
  'Monitoring doesn’t list open alerts at the moment. Use the alert’s key instead.'
export const severalMatch =
  'Several alerts match that link. Type /alert with the link to choose one, then use its key. Nothing was sent.'

/** Answers a link that fits several alerts. Shown to the asker alone: others need to see only the alert that was meant. */
export function renderSeveral(settings: SeverityNames, list: ShortList): Message {
  const page = pageOf(list.alerts, alertRow(settings, list))
  const heading = `${partOf(page)} alerts match that link, opened in the same second`
  return renderPage(page, heading, {
    notes: [moreWords(page, `\`/alert open ${list.containerId}\` lists them`)],
  })
}

/** @param ks - The key, raw, or “that link”. */
export function renderStillAsking(ks: string): Message {
  return say(
    `Still asking monitoring about ${keyInWords(ks)}. You’ll have the answer as soon as it’s there.`,
  )
}
