// Sentences of forms and lines of assigning, for when something in them cannot be used. Pure.
import { quote } from '../../slack/text/typed.ts'

/** At inputs. Raw. */
export const assignProblems = {
  taken:
    'Monitoring shows that a colleague here is that person. If it’s you, assign an alert to yourself with Assign to somebody, and write a message. Monitoring then shows that it’s you.',
  notConnected: 'Connect your account first.',
  nobody: 'Your token belongs to a container, not to a person, so there’s nothing to choose.',
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
