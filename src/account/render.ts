// Messages and modals in which somebody connects an account. Pure.
import type { Button } from '@slack/types'
import type { MonitorErrorCode } from '../errors.ts'
import type { TokenTrial } from '../monitor/reads.ts'
import {
  button,
  describe,
  formView,
  input,
  type Line,
  type Message,
  note,
  noticeView,
  say,
  section,
  textElement,
  type View,
} from '../slack/outbound/message.ts'
import { escapeText, plain } from '../slack/text/mrkdwn.ts'
import type { Stopped } from './vault.ts'

export const connectAction = 'account.connect'
export const connectLinkAction = 'account.connect-link'
export const disconnectAction = 'account.disconnect'
export const connectView = 'account.connect'

const connectButton = { type: 'button', text: plain('Connect account'), style: 'primary' } as const

const goesOn = 'within 15 minutes and I’ll finish this for you.'

/** The reason to connect for somebody who asked for it by a message, where Slack opens no modals. Raw. */
export const connectAnytime = 'Connect your own monitoring account. Bellhop then acts as you.'

/** The reason to connect, raw. @param nothing - A sentence such as “Nothing was sent.” */
export function connectReason(why: 'none' | 'refused', nothing: string): string {
  return why === 'none'
    ? `To do this, I need your monitoring account. Connect ${goesOn}`
    : `${nothing} Monitoring no longer accepts your token. Connect again ${goesOn}`
}

/**
 * A message whose button opens the form for a token, or a fresh link to the page, however old the message is.
 * @param reason - Raw.
 * @param waitingId - The id of what waits; `''` for nothing: the button then has no value, as Slack refuses an empty one.
 * @param beside - Another button, from the feature that asks.
 */
export function renderConnectFirst(reason: string, waitingId = '', beside?: Button): Message {
  const connect = {
    ...connectButton,
    action_id: connectAction,
    ...(waitingId !== '' && { value: waitingId }),
  }
  return describe({ lines: [reason], buttons: [connect, beside] })
}

/** @param stopped - Work that ended with the account; undefined if they had none. */
export function renderDisconnected(stopped: Stopped | undefined): Message {
  if (stopped === undefined) return say('You weren’t connected. To connect, type /alert connect.')
  const { watches, follows, ends } = stopped
  const gone =
    'Disconnected. Bellhop deleted your token. If you no longer need it, revoke it in monitoring too.'
  const watched =
    watches > 0 && `I stopped watching ${watches === 1 ? '1 alert' : `${watches} alerts`}.`
  const followed = follows.map(({ container, channelId }): Line => {
    const channel = { type: 'channel', channel_id: channelId } as const
    return [`I stopped following ${container} in `, channel, '.']
  })
  const stays =
    ends > 0 &&
    `I can no longer take back access that you gave for a time (${ends}). Connect again, and I will. To see it, type /grant due.`
  return describe({ lines: [gone, watched || '', ...followed, stays || ''] })
}

/** @param ends - How many accesses are to be taken back with the account, at least one. */
export function renderBeforeDisconnecting(ends: number): Message {
  const still = `I still have to take back access that you gave for a time (${ends}). If you disconnect, I can’t. To see it, type /grant due.`
  return describe({
    lines: [still],
    buttons: [button(disconnectAction, 'Disconnect', '-', 'danger')],
  })
}

/** Characters: Slack's input takes no more. */
const longestToken = 3000

const title = 'Connect account'

const usedFor =
  'Bellhop tests it right away, stores it encrypted, and uses it only for what you ask.'
const placeholder = plain('Paste your monitoring token')
const tokenElement = textElement('token', '', {
  max_length: longestToken,
  focus_on_load: true,
  placeholder,
})

/**
 * @param state - The view’s `private_metadata`, with the number of tries in this form.
 * @param problem - Why the last try failed, raw.
 */
export function connectModal(state: { readonly tries: number }, problem?: string): View {
  return formView(connectView, title, JSON.stringify(state), [
    ...(problem === undefined ? [] : [section(`*Not connected.* ${escapeText(problem)}`)]),
    // A new id for each try empties the input: Slack keeps its text as long as its ids stay the same.
    input(`token-${state.tries}`, 'API token', tokenElement, { hint: usedFor }),
    note(`*${findQuestion}* ${whereToFind}`),
    note(
      `${rightsNeeded} Slack can’t mask what you type here, so make sure nobody sees your screen.`,
    ),
  ])
}

export function checkingModal(): View {
  // If the bot is killed meanwhile, the modal stays as it is: no other process knows of it.
  const stalled = 'If nothing changes here for half a minute, close this and try again.'
  return noticeView(title, [section('Checking…'), note(stalled)])
}

/** The command that waited, if there was one, and what happens to it. */
export type Waits = keyof typeof waitsSentences

const waitsSentences = {
  'nothing-waits': '',
  'goes-on': 'I’m finishing what you asked for.',
  'not-kept': 'Your request waited too long, so ask again.',
}

export function connectedModal(trial: TokenTrial, waiting: Waits): View {
  const [first = '', ...rest] = connectedSentences(trial, waiting)
  return noticeView(
    title,
    [`Connected. ${first}`.trim(), ...rest].map((one) => section(one)),
  )
}

/** Sentences that follow “Connected” or “You’re connected”. Raw, but as mrkdwn, they read the same. */
export function connectedSentences(trial: TokenTrial, waiting: Waits): readonly string[] {
  return [waitsSentences[waiting], trialSentences[trial]].filter((one) => one !== '')
}

export const findQuestion = 'Where do I find it?'
/** Raw, but as mrkdwn, it reads the same. */
export const whereToFind =
  'In InfraSonar, open your account menu, then My access, then Tokens. A token that you create there acts as you.'

/** Raw, but as mrkdwn, it reads the same. */
export const rightsNeeded =
  'The token needs API and READ to look up alerts, ALERT_ASSIGN to assign them, ALERT_CHANGE to comment and close, and CONTAINER_ACCESS to grant access.'

const trialSentences: Readonly<Record<TokenTrial, string>> = {
  accepted: '',
  forbidden:
    'Monitoring accepts this token but says it lacks permission (403). To look up alerts, it needs API and READ on their container.',
  untested: 'Monitoring is busy, so I couldn’t test the token yet. What you ask for next tests it.',
}

/** Why a token was not stored. Raw. */
export function problemOf(code: MonitorErrorCode): string {
  if (code === 'refused')
    return 'Monitoring doesn’t accept this token (401). Check that you copied all of it.'
  return code === 'malformed'
    ? 'Something other than monitoring answered, so I couldn’t test the token. Tell whoever runs Bellhop to check its address (MONITOR_API_URL) and proxy.'
    : 'Monitoring isn’t responding, so I couldn’t test the token. Try again in a minute.'
}

/** The modal in place of the form, if PUBLIC_URL is set. @param url - The asker’s own link to the token page. */
export function connectLinkModal(url: string): View {
  return noticeView(title, [
    section('Give your token on Bellhop’s own page, so that it never passes through Slack.'),
    { type: 'actions', elements: [{ ...connectButton, action_id: connectLinkAction, url }] },
    note('The link is only for you, so don’t pass it on. It expires after ten minutes.'),
  ])
}

/** A token as typed, or what is wrong with it. @param typed - Trimmed. */
export function checkToken(
  typed: string,
): { readonly token: string } | { readonly problem: string } {
  const token = typed.replace(/^Bearer\s+/i, '')
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= longestToken) return { token }
  return {
    problem:
      'That isn’t a token. A token has only letters, digits and symbols, and no spaces. Copy it again.',
  }
}
