// Slack's side of accounts: connect, disconnect, and forgetting people who left.

import { z } from 'zod'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { unlessSlackFails } from '../slack/client.ts'
import {
  type ActionRequest,
  type CommandRequest,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { say, type View } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import type { EventRequest } from '../slack/routes.ts'
import { dayMs } from '../work/durations.ts'
import { every, type Repeated } from '../work/retry.ts'
import {
  type ConnectOrigin,
  type ConnectOutcome,
  connectAccount,
  connectOrigin,
  goOn,
} from './connect-first.ts'
import {
  checkingModal,
  checkToken,
  connectAnytime,
  connectedModal,
  connectLinkModal,
  connectModal,
  renderBeforeDisconnecting,
  renderConnectFirst,
  renderDisconnected,
} from './render.ts'
import { keepLink, makeLink } from './token-page.ts'

const modalState = connectOrigin.extend({
  /** How many tokens were refused in this form. */
  tries: z.number(),
})

/** The button *Connect account*. */
export function askForToken(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, triggerId, value: waitingId, place, view } = pressed
  const origin = { waitingId, promptUrl: place.responseUrl, isFromView: view !== undefined }
  return openConnecting(house, asker, triggerId, origin)
}

/** Opens the modal for a token; if PUBLIC_URL is set, a modal with a fresh link to the token page instead. */
async function openConnecting(
  house: House,
  asker: Person,
  triggerId: string,
  origin: ConnectOrigin,
) {
  const { slack, config } = house
  if (config.publicUrl === undefined)
    return void (await slack.openView(triggerId, connectModal({ ...origin, tries: 0 })))
  const { url, secret } = makeLink(config.publicUrl)
  const viewId = await slack.openView(triggerId, connectLinkModal(url))
  const { workspace } = await slack.learned()
  await keepLink(house, secret, { asker, workspace, origin, viewId })
}

/** Longest wait before an ack: Slack wants it within three seconds, some of which are gone when a listener begins. */
export const quickMs = 1_200

/**
 * Wait between an ack and a change of the same view: Slack may apply the ack after a call made right behind it, and the
 * view then stays as the ack had it. Source: slackapi/bolt-python#481, slackapi/bolt-js#1827.
 */
const settleMs = 750

/** *Connect* in the form: the ack shows the outcome if it is known soon; else “Checking…”, and the outcome later. */
export async function giveToken(house: House, submission: Submission): Promise<void> {
  const { slack, wait } = house
  const { asker, viewId, claim, correct, ack, answer, filled, privateMetadata } = submission
  const state = readPrivateMetadata(modalState, privateMetadata)
  const [input = ''] = filled.inputs
  const typed = checkToken(filled.text(input))
  if ('problem' in typed) return correct({ [input]: typed.problem })
  const connecting = claim().then(() => connectAccount(house, asker, typed.token, state))
  const soon = await Promise.race([connecting, wait(quickMs).then(() => undefined)])
  // Closes only if the form has nothing left to say: a command that waited goes on, and its answer comes as a message.
  const closes =
    soon && !('problem' in soon) && soon.waits === 'goes-on' && soon.trial === 'accepted'
  const next = soon ? formAfter(soon, state) : checkingModal()
  await ack(closes ? undefined : next)

  const [outcome] = await Promise.all([connecting, soon ?? wait(settleMs)])
  const update = () => unlessSlackFails(slack.updateView(viewId, formAfter(outcome, state)))
  const isSeen = soon !== undefined || (await update())

  if ('problem' in outcome) {
    noteOutcome(`service-${outcome.code}`)
    return isSeen ? undefined : answer(say(`Not connected. ${outcome.problem}`))
  }
  if (!isSeen && outcome.resumed === undefined) await answer(say('Connected.'))
  await goOn(house, asker, outcome.resumed, state)
}

function formAfter(outcome: ConnectOutcome, state: z.infer<typeof modalState>): View {
  return 'problem' in outcome
    ? connectModal({ ...state, tries: state.tries + 1 }, outcome.problem)
    : connectedModal(outcome.trial, outcome.waits)
}

/** `/alert connect`: opens the modal, with no command waiting. For a mere message, Slack opens none: a button is sent. */
export async function openConnect(
  house: House,
  { asker, triggerId, answer }: CommandRequest,
): Promise<void> {
  if (triggerId === undefined) return answer(renderConnectFirst(connectAnytime))
  await openConnecting(house, asker, triggerId, { waitingId: '', isFromView: false })
}

/** Forgets the token; but asks first if this token still has to take back access that was given for a time. */
export async function disconnect(house: House, { asker, answer }: CommandRequest): Promise<void> {
  const { tokens, storage } = house
  const ends = await storage.ends.list({ workspaceId: asker.workspaceId, ownerId: asker.userId })
  if (ends.length > 0 && (await tokens.since(asker)))
    return answer(renderBeforeDisconnecting(ends.length))
  await answer(renderDisconnected(await tokens.forget(asker)))
}

export async function disconnectAnyway({ tokens, slack }: House, { asker, place }: ActionRequest) {
  await slack.privately(place, renderDisconnected(await tokens.forget(asker)), { replaces: true })
}

/** Forgets the token of somebody whom Slack reports as deactivated. */
export async function userChanged(
  house: House,
  { workspaceId, event }: EventRequest<'user_change'>,
): Promise<void> {
  if (event.user.deleted) await house.tokens.forget({ workspaceId, userId: event.user.id }, 'left')
}

/** Forgets the workspace if the bot’s token was revoked. Bellhop has no other token of Slack’s. */
export async function tokensRevoked(
  house: House,
  happened: EventRequest<'tokens_revoked'>,
): Promise<void> {
  if (happened.event.tokens.bot?.length) await forgetWorkspace(house, happened)
}

/** Wait after Slack says that the bot was removed, as its token may work for a little longer. */
const earlyMs = 15_000

/** Forgets all that is kept of a workspace, unless Slack still takes the bot's token: then it was installed again. */
export async function forgetWorkspace(
  { slack, tokens, wait, log }: House,
  { workspaceId }: Pick<SlackUser, 'workspaceId'>,
): Promise<void> {
  await wait(earlyMs)
  if (await slack.probe.isTokenGood())
    return log.warn(
      'the bot was uninstalled, but has been installed again since: nothing is deleted',
    )
  await tokens.forgetWorkspace(workspaceId)
}

/** Pause between the questions about two people: Slack takes about a hundred such questions a minute. */
const pauseMs = 1_000

/** Asks Slack at the start and once a day who has left, and forgets their tokens. */
export function forgetLeavers({ storage, slack, tokens, stopping, wait, log }: House): Repeated {
  async function forgetWhoLeft() {
    const due = await storage.accounts.keptFor(dayMs)
    const workspaceId = due.length === 0 ? '' : (await slack.learned()).workspaceId
    let failure: unknown
    // Accounts of another workspace, from before the bot was moved, stay: Slack can't be asked about them.
    for (const owner of due.filter((one) => one.workspaceId === workspaceId)) {
      if (stopping.aborted) return
      // A failure is thrown only after all were asked about: for one person, Slack may refuse to answer for ever.
      const hasLeft = await slack.people.hasLeft(owner.userId).catch((error: unknown) => {
        failure = error
      })
      if (hasLeft && (await tokens.forget(owner, 'left')))
        log.info({ user: owner.userId }, 'somebody has left; their token was deleted')
      await wait(pauseMs)
    }
    if (failure !== undefined) throw failure
  }

  return every(dayMs, () =>
    forgetWhoLeft().catch((err: unknown) =>
      log.failedJob('warn', { err }, 'could not find out who has left; trying again in a day'),
    ),
  )
}
