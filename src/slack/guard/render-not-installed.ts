// The answer where the bot has no token. Pure.
import { type Message, say, sayMarked } from '../outbound/message.ts'

/** @param installUrl - Where somebody can add the bot; undefined where it works for one workspace alone. */
export function renderNotInstalled(installUrl: string | undefined): Message {
  if (installUrl === undefined) return say(elsewhere)
  const link = `<${installUrl}|${add}>`
  return sayMarked(`${notYet} Anyone who may install apps can finish that: ${link}.`)
}

/** For a form that is still open. Raw. */
export function notInstalledSentence(installUrl: string | undefined): string {
  if (installUrl === undefined) return elsewhere
  return `${notYet} Anyone who may install apps can finish that at ${installUrl}.`
}

const notYet = 'Bellhop isn’t set up in this workspace yet.'
const add = 'Add Bellhop to Slack'
const elsewhere = 'This Bellhop works for another workspace, so nothing was done. Ask whoever runs it.'
