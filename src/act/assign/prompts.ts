// Messages on the way to an assignment: who the asker is, and what cannot be used. Pure.
import type { Button } from '@slack/types'
import { type CardPress, pressValue } from '../../alert/render/card-buttons.ts'
import { type Message, withTextBack } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { escapeText, literal, plain } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import type { WantedAssign } from './wanted.ts'

/** Action ids of the buttons, for the listeners. */
export const askSelfAction = 'act.ask-self'
export const openAssignFormAction = 'act.assign-to'

/** Where no form can be opened by itself. */
export function renderAskSelf(wanted: WantedAssign): Message {
  const value = JSON.stringify(wanted)
  // Marks in a text take more room, and so does a long key.
  const isKept = value.length <= limits.buttonValue
  const sentence = `Nothing was sent yet. To assign alert ${quote(wanted.ks)} to you, Bellhop needs to know who you are in monitoring.`
  const asked = withButton(isKept ? sentence : `${sentence} ${messageLeftOut}`, {
    type: 'button',
    action_id: askSelfAction,
    text: plain('Say who you are'),
    value: isKept ? value : JSON.stringify({ ...wanted, message: '' }),
  })
  return isKept ? asked : withTextBack(asked, wanted.message)
}

const messageLeftOut =
  'Your message doesn’t fit into this button, so it won’t be sent. Here it is, for Comment on the card:'

/** Once an account is connected: Slack lets no form open by itself then. */
export function renderOpenForm(press: CardPress): Message {
  return withButton('You’re connected. Choose who gets the alert.', {
    type: 'button',
    action_id: openAssignFormAction,
    text: plain('Assign to somebody'),
    value: pressValue(press),
  })
}

/** @param sentence - Raw. */
function withButton(sentence: string, button: Button): Message {
  return {
    text: escapeText(sentence),
    blocks: [
      { type: 'section', text: literal(sentence) },
      { type: 'actions', elements: [button] },
    ],
  }
}

/** At inputs. Raw. */
export const assignProblems = {
  noNumber: 'Type a number, such as 7.',
  noContainerNumber: 'Type the container’s number, such as 12.',
  noContainer: (containerId: number) => `Monitoring shows you no container ${containerId}.`,
  connectFirst: 'Connect your account, then press Assign to somebody again.',
} as const

/** In a modal that is not needed any more. Raw. */
export const answeredElsewhere = 'You can close this: Bellhop’s message has the result.'

/** @param name - In Slack, raw. */
export function unknownPerson(name: string | undefined): string {
  const who = name === undefined ? 'that person' : quote(name)
  return `Bellhop can’t tell who ${who} is in monitoring. Use their user ID there in place of the name, or press Assign to somebody on the alert’s card. Nothing was sent.`
}
