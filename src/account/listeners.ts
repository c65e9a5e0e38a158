// Slack's side of accounts: connect, disconnect, and forgetting people who left.
import { z } from 'zod'
import type { House } from '../house.ts'
import { endsAs, type RequestOutcome } from '../log/request.ts'
import { answerForm, type FormOutcome } from '../slack/guard/answer-form.ts'
import {
  type ActionRequest,
  type CommandRequest,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import type { Person } from '../slack/ids.ts'
import { say } from '../slack/outbound/message.ts'
import type { Happened } from '../slack/routes.ts'
import { isTokenGood } from '../slack/workspace/probe.ts'
import { doubling } from '../work/retry.ts'
import { type ConnectOutcome, connectAccount, goOn, waitsOf } from './connect.ts'
import { type Resumed, takeWaiting } from './connect-first.ts'
import { connectButtonFor, linkPressed, mintLink, waitingIdIn } from './links.ts'
import {
  checkingModal,
  checkToken,
  connectAnytime,
  connectButton,
  connectedModal,
  connectLinkModal,
  connectModal,
  connectProblems,
  linkIsOver,
  renderConnectFirst,
  renderDisconnected,
  tokenInputAt,
} from './render.ts'

/** The connect modal's `private_metadata`. */
const modalState = z.object({
  waitingId: z.string(),
  /** A response URL, which can remove the message that asked to connect. */
  promptUrl: z.string().optional(),
  /** Its button is in a view. */
  isFromView: z.boolean().default(false),
  /** Tokens that were refused in this form. */
  tries: z.number().default(0),
})

type ModalState = z.infer<typeof modalState>

/** The log's word for a request that didn't connect. */
const endings = {
  refused: 'service-refused',
  'no-answer': 'service-unreachable',
  'other-answer': 'service-malformed',
} as const satisfies Readonly<Record<Exclude<ConnectOutcome['kind'], 'connected'>, RequestOutcome>>

/** *Connect account* where it opens a form: for a token, or with a fresh link to the page. */
export function askForToken(house: House, pressed: ActionRequest): Promise<void> {
  return openWay(house, pressed, pressed.value, connectAnytime)
}

/** *Connect account* where it is a link: the browser opens it, and Slack reports the press. */
export async function followLink(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, value, place, view } = pressed
  const waitingId = waitingIdIn(value)
  // In a modal: Bellhop has known where it is since it opened it.
  const stand = view === undefined ? { promptUrl: place.responseUrl, isFromView: false } : undefined
  if (await linkPressed(house, asker, value, stand)) return
  const link = view && (await mintLink(house, asker, waitingId))
  if (view === undefined || link === undefined) return openWay(house, pressed, waitingId, linkIsOver)
  await linkPressed(house, asker, link.value, { viewId: view.id, isFromView: true })
  await house.slack.updateView(view.id, connectLinkModal(connectButton(link), linkIsOver))
}

/** Opens the modal for a token, or one with a fresh link to the page. */
async function openWay(
  house: House,
  { asker, triggerId, place, view }: ActionRequest,
  waitingId: string,
  text: string,
): Promise<void> {
  const stand = { promptUrl: place.responseUrl, isFromView: view !== undefined }
  const link = await mintLink(house, asker, waitingId)
  if (link === undefined) {
    const state: ModalState = { waitingId, ...stand, tries: 0 }
    return void (await house.slack.openView(triggerId, connectModal(JSON.stringify(state))))
  }
  const viewId = await house.slack.openView(triggerId, connectLinkModal(connectButton(link), text))
  await linkPressed(house, asker, link.value, { ...stand, viewId })
}

/** The form with the token. */
export async function giveToken(house: House, submission: Submission): Promise<void> {
  const { asker, ack, answer, filled, privateMetadata } = submission
  const state = readPrivateMetadata(modalState, privateMetadata)
  const input = tokenInputAt(state.tries)
  const typed = checkToken(filled.text(input))
  if ('problem' in typed) return ack({ response_action: 'errors', errors: { [input]: typed.problem } })
  const { isSeen, problem, resumed } = await answerForm(house, submission, checkingModal(), () =>
    tryTyped(house, asker, typed.token, state),
  )
  if (problem !== undefined) return isSeen ? undefined : answer(say(`Not connected. ${problem}`))
  if (!isSeen && resumed === undefined) await answer(say('Connected.'))
  await goOn(house, asker, resumed, state)
}

/** The form after a token was typed. */
interface Tried extends FormOutcome {
  readonly problem?: string
  readonly resumed?: Resumed | undefined
}

async function tryTyped(house: House, asker: Person, token: string, state: ModalState): Promise<Tried> {
  const { waitingId } = state
  const outcome = await connectAccount(house, asker, token)
  if (outcome.kind === 'connected') {
    const resumed = await takeWaiting(house, asker, waitingId)
    const waits = waitsOf(waitingId, resumed)
    const view = connectedModal(outcome.trial, waits)
    // What they asked for comes, and nothing else is left to read.
    return waits === 'goes-on' && outcome.trial === 'accepted'
      ? { view, atOnce: 'close', resumed }
      : { view, resumed }
  }
  endsAs(endings[outcome.kind])
  const problem = connectProblems[outcome.kind]
  const tries = state.tries + 1
  return { view: connectModal(JSON.stringify({ ...state, tries }), { tries, problem }), problem }
}

/** `/alert connect`: the modal, with nothing waiting; its button where Slack opens no modals, or where there is a page. */
export async function openConnect(house: House, { asker, triggerId, answer }: CommandRequest): Promise<void> {
  const button = await connectButtonFor(house, asker, '')
  if (triggerId === undefined || button.url !== undefined)
    return answer(renderConnectFirst(button, connectAnytime))
  await house.slack.openView(triggerId, connectModal(JSON.stringify({ waitingId: '' })))
}

/** `/alert disconnect`. */
export async function disconnect({ tokens }: House, { asker, answer }: CommandRequest): Promise<void> {
  await answer(renderDisconnected(await tokens.forget(asker)))
}

/** Somebody may have left the workspace. */
export async function userChanged(house: House, happened: Happened<'user_change'>): Promise<void> {
  const { workspaceId, event } = happened
  if (event.user.deleted) await house.tokens.forget({ workspaceId, userId: event.user.id }, 'left')
}

/** Somebody's, or the bot's own. */
export async function tokensRevoked(house: House, happened: Happened<'tokens_revoked'>): Promise<void> {
  const { workspaceId, event } = happened
  for (const userId of event.tokens.oauth ?? []) await house.tokens.forget({ workspaceId, userId }, 'revoked')
  if (event.tokens.bot?.length) await forgetWorkspace(house, workspaceId)
}

export function appUninstalled(house: House, { workspaceId }: Happened<'app_uninstalled'>): Promise<void> {
  return forgetWorkspace(house, workspaceId)
}

/** Slack may tell of it before it takes the bot's token away. */
const mostEarly = 6
const earlyPauses = doubling(1_000, 15_000)

/** Forgets all that is kept of a workspace, people's tokens first: once Slack takes the bot's token no more. */
async function forgetWorkspace({ slack, tokens, wait, log }: House, workspaceId: string): Promise<void> {
  for (let looks = 1; await isTokenGood(slack.probe); looks += 1) {
    if (looks === mostEarly)
      return log.warn('the bot was uninstalled, but has been installed again since: nothing is deleted')
    await wait(earlyPauses(looks))
  }
  await tokens.forgetWorkspace(workspaceId)
}
