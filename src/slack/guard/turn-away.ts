// Answers somebody in a workspace where the bot has no token: taken out, or added by Slack's own button, which gives it
// none. What can be answered without one is their own request, over its response_url or in the form it came from.
import type { Log } from '../../log/log.ts'
import { classify } from '../client/refusals.ts'
import type { Gate } from '../gate/gate.ts'
import type { Topic } from '../observer.ts'
import { type Message, say, sayMarked } from '../outbound/message.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { PerWorkspace } from '../per-workspace.ts'
import { presumedIdOf, type Sent } from './who.ts'

/** Silent where there is no way to answer, and for whoever asks too fast. */
export type TurnAway = (request: {
  readonly asked: Topic
  readonly sent: Sent
  /** Answers in the form that is still open, where there is one. */
  readonly refuse?: ((sentence: string) => Promise<void>) | undefined
}) => Promise<void>

/** @param room.installUrl - Undefined where the bot works for one workspace alone. */
export function createTurnAway(room: {
  readonly installUrl: string | undefined
  readonly outbound: PerWorkspace<Pick<Outbound, 'respond'>>
  readonly gate: Pick<Gate, 'tooFast'>
  readonly log: Log
}): TurnAway {
  const { installUrl, outbound, gate, log } = room
  return async ({ asked, sent: { addressed, sender, spot }, refuse }) => {
    const workspaceId = presumedIdOf(addressed)
    if ((await gate.tooFast(asked, { workspaceId, userId: sender.userId })) !== undefined) return
    if (refuse !== undefined) return refuse(notInstalledSentence(installUrl))
    if (spot.responseUrl === undefined) return
    try {
      // This needs no token of theirs, and none of another workspace is used.
      await outbound
        .in(workspaceId)
        .respond(spot.responseUrl, renderNotInstalled(installUrl), { to: 'asker' })
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      log.warn({ err: error }, 'somebody could not be told that the bot is not installed')
    }
  }
}

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
