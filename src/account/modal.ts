// The modal in which an account is connected. Pure.
import type { Button, KnownBlock } from '@slack/types'
import type { View } from '../slack/outbound/message.ts'
import { escapeText, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import { aboutLink } from './render.ts'

export const connectView = 'account.connect'
const tokenInput = 'token'

/**
 * The input's block id. Slack keeps what stands in an input for as long as its ids stay, so each try has another.
 * @param tries - Tokens that were refused in this form before.
 */
export function tokenInputAt(tries: number): string {
  return tries === 0 ? tokenInput : `${tokenInput}-${tries}`
}

const title = plain('Connect account')

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** @param again - How often it was tried in this form, and why the last try did not work, raw. */
export function connectModal(
  privateMetadata: string,
  again?: { readonly tries: number; readonly problem: string },
): View {
  return {
    type: 'modal',
    callback_id: connectView,
    private_metadata: privateMetadata,
    title,
    submit: plain('Connect account'),
    close: plain('Cancel'),
    blocks: [
      ...(again === undefined ? [] : [section(`*Not connected.* ${escapeText(again.problem)}`)]),
      {
        type: 'input',
        block_id: tokenInputAt(again?.tries ?? 0),
        label: plain('API token'),
        hint: plain('It is tried at once, kept encrypted, and used only for what you ask Bellhop to do.'),
        element: {
          type: 'plain_text_input',
          action_id: tokenInput,
          max_length: 3000,
          focus_on_load: true,
          placeholder: plain('Paste your token of the monitoring service'),
        },
      },
      {
        type: 'context',
        elements: [
          mrkdwn(
            'The token needs API and READ to look up alerts, API and CONTAINER_ACCESS to grant access. Slack cannot hide what you type here: mind who sees your screen.',
          ),
        ],
      },
    ],
  }
}

export function checkingModal(): View {
  // Stays as it is when the bot is killed in the middle: another one does not know of this modal.
  const stalled = 'When nothing changes here for half a minute, close this and try again.'
  const blocks: KnownBlock[] = [section('Checking…'), { type: 'context', elements: [mrkdwn(stalled)] }]
  return { type: 'modal', title, close: plain('Close'), blocks }
}

const waits = {
  'nothing-waits': 'Connected.',
  'goes-on': 'Connected. What you asked for goes on now.',
  'not-kept': 'Connected. What you asked for is not kept any more; ask again.',
  'waited-too-long': 'Connected. What you asked for has waited too long; see the message from Bellhop.',
} as const

/** What becomes of the command that waited, if one did. */
export type Waits = keyof typeof waits

export function connectedModal(lacksRights: boolean, waiting: Waits): View {
  const blocks = connectedSentences(lacksRights, waiting).map(section)
  return { type: 'modal', title, close: plain('Close'), blocks }
}

/** What somebody reads who has connected. Raw, and mrkdwn as well. */
export function connectedSentences(lacksRights: boolean, waiting: Waits): readonly string[] {
  return [waits[waiting], ...(lacksRights ? [rightsAreLacking] : [])]
}

const rightsAreLacking =
  'The service accepts this token but answered that it lacks permission (403). To look up alerts it needs API and READ on their container.'

/** Why a token was not kept. Raw. */
export const connectProblems = {
  refused: 'The monitoring service does not know this token (401). Check that you copied all of it.',
  withdrawn: 'You were disconnected while the token was tried, so it was not kept.',
  'no-answer':
    'The monitoring service did not answer, so the token could not be tried. Try again in a minute.',
  defect: 'Something went wrong in Bellhop. Try again in a minute.',
} as const

/** In place of the form where there is a page for it. @param button - *Connect account*. */
export function connectLinkModal(button: Button, text: string): View {
  const about: KnownBlock = { type: 'context', elements: [mrkdwn(aboutLink)] }
  const actions: KnownBlock = { type: 'actions', elements: [button] }
  const blocks = [section(escapeText(text)), actions, about]
  return { type: 'modal', title, close: plain('Close'), blocks }
}

/** A token as typed, or what is wrong with it. @param typed - Trimmed. */
export function checkToken(typed: string): { readonly token: string } | { readonly problem: string } {
  const token = typed.replace(/^Bearer\s+/i, '')
  if (token === '') return { problem: 'Paste your API token here.' }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return { problem: 'A token has no spaces and only plain letters, digits and signs. Copy it again.' }
  }
  return { token }
}
