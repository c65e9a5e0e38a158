// Look-up form, opened anywhere or from a message for its thread, and answers in place of a card. Pure.
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

/** Callback id of the modal, and of the shortcut that opens it. */
export const lookupView = 'alert.look-up'
export const messageShortcut = 'alert.look-up-in-message'
/** Block ids. */
export const keyInput = 'ks'
export const choiceInput = 'choice'
export const postToInput = 'post-to'

/** @param typed - Prefilled key, raw. @param open - Alerts of the container used last, as nobody knows a key by heart. */
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

/** The form, from a message. @param inThread - Says where the card goes. @param choices - Keys, or links without one. */
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
  // The Home tab and global shortcuts have no present conversation to begin with.
  { hint: 'Leave it empty to get a direct message.', isOptional: true },
)

const longestHint = 150

/** A menu; no block where there is nothing to choose. @param asked - Words for each, raw, and its value. */
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

/** @param typed - Prefilled, raw. @param isOptional - Something else may be chosen instead. */
export function keyBlock(takesLinks: boolean, typed?: string, isOptional = false): KnownBlock {
  const hint = `The alert’s key${takesLinks ? ' or its link' : ''}. No quotes needed for spaces.`
  const element = textElement(keyInput, typed, { max_length: 3000, focus_on_load: true })
  return input(keyInput, 'Alert key', element, { hint, isOptional })
}

/** Shown under *Post to*, where Slack gives no way into the chosen direct message. */
export const noWayThere =
  'Slack doesn’t let me post in that direct message. Choose a channel, or type /alert there.'

/** Tells two links apart before their alerts are known. @param one - A key, or a link. */
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

/** Shown for changes and lists, where Bellhop reads one alert at a time. Raw. */
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
  // The whole line stands below, so it isn’t said here as well.
  const suggested = meant && said?.startsWith(meant.name) ? 'this' : name
  const hasButton = meant && meant.line.length <= limits.buttonValue

  return describe({
    lines: [meant ? `${problem} Did you mean ${suggested}?` : problem],
    toCopy: said,
    buttons: [hasButton && button(askAgainAction, label, meant.line)],
  })
}

/** @param said - Text that was with the key. */
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

/** Shown to the asker alone: others need see only the one that was meant. */
export function renderSeveral(settings: SeverityNames, list: ShortList): Message {
  const page = pageOf(list.alerts, alertRow(settings, list))
  const heading = `${partOf(page)} alerts match that link, opened in the same second`
  return renderPage(page, heading, {
    notes: [moreWords(page, `\`/alert open ${list.containerId}\` lists them`)],
  })
}

/** @param ks - Raw. */
export function renderStillAsking(ks: string): Message {
  return say(
    `Still asking monitoring about ${keyInWords(ks)}. You’ll have the answer as soon as it’s there.`,
  )
}
