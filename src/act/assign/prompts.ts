// Messages on the way to an assignment: who the asker is, and what cannot be used. Pure.
import { button, describe, type Message } from '../../slack/outbound/message.ts'
import { quote } from '../../slack/text/typed.ts'
import type { ForWhom, WantedAssign } from './wanted.ts'

/** Action id of the button, for the listener. */
export const askSelfAction = 'act.ask-self'

/** Where no form can be opened by itself. */
export function renderAskSelf(wanted: WantedAssign): Message {
  return describe({
    lines: [
      `Nothing was sent yet. To assign alert ${quote(wanted.ks)} to you, I need to know who you are in monitoring.`,
    ],
    buttons: [button(askSelfAction, 'Say who you are', JSON.stringify(wanted))],
  })
}

/** Once an account is connected: Slack lets no form open by itself then. Raw. */
export const chooseNow = 'You’re connected. Press Assign to somebody on the alert’s card again, and choose.'

/** At inputs, or in a message. Raw. */
export const assignProblems = {
  nobody: 'Choose somebody from the list.',
  noContainerNumber: 'Type the container’s number, such as 12.',
  noContainer: (containerId: number) => `Monitoring shows you no container ${containerId}.`,
  connectFirst: 'Connect your account, then assign the alert again.',
} as const

/** In a modal that is not needed any more. Raw. */
export const answeredElsewhere = 'You can close this: my message has the result.'

/** In place of a form. @param ks - Raw. */
export function notListed(purpose: ForWhom, ks: string, containerId: number): string {
  const [what, whose] = purpose === 'me' ? ['find you in', 'your'] : ['list the members of', 'their']
  const why = `I can’t ${what} container ${containerId}: your token lacks READ there, or shows nobody.`
  return `${why} Use /alert assign ${quote(ks)} with ${whose} user ID in monitoring instead.`
}

/** @param name - In Slack, raw. */
export function unknownPerson(name: string | undefined): string {
  const who = name === undefined ? 'that person' : quote(name)
  return `I can’t tell who ${who} is in monitoring. Use their user ID there in place of the name, or press Assign to somebody on the alert’s card. Nothing was sent.`
}
