// Slack's side of accounts: connect, disconnect, and forgetting people who left.
import { z } from 'zod'
import { endsAs, type RequestOutcome } from '../log/request.ts'
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import {
  type ActionRequest,
  type CommandRequest,
  readEvent,
  readPrivateMetadata,
} from '../slack/guard/requests.ts'
import { type Person, type SlackUser, slackId } from '../slack/ids.ts'
import { say, type View } from '../slack/outbound/message.ts'
import { type Afterwards, type ConnectOutcome, connectAccount, goOn, waitsOf } from './connect.ts'
import { type Resumed, takeWaiting } from './connect-first.ts'
import { connectButtonFor, linkPressed, mintLink, waitingIdIn } from './links.ts'
import {
  checkingModal,
  checkToken,
  connectAction,
  connectAnytime,
  connectedModal,
  connectLinkAction,
  connectLinkButton,
  connectLinkModal,
  connectModal,
  connectProblems,
  connectView,
  linkIsOver,
  renderConnectFirst,
  renderDisconnected,
  tokenInputAt,
} from './render.ts'
import type { AccountRoom } from './room.ts'

/** Forgets what other rooms keep of a workspace. */
export type ForgetWorkspace = (workspaceId: string) => Promise<void>

/** The connect modal's `private_metadata`. */
const modalState = z.object({
  waitingId: z.string(),
  /** A response URL, which can remove the message that asked to connect. */
  promptUrl: z.string().optional(),
  /** The workspace of that message. Undefined in forms opened by a version that knew only one. */
  workspaceId: z.string().optional(),
  /** Its button is in a view. */
  isFromView: z.boolean().default(false),
  /** Tokens that were refused in this form. */
  tries: z.number().default(0),
})

type ModalState = z.infer<typeof modalState>

/** A form opened in another workspace leads to no message. */
function readState(privateMetadata: string, { workspaceId }: SlackUser): ModalState {
  const state = readPrivateMetadata(modalState, privateMetadata)
  const isOwn = (state.workspaceId ?? workspaceId) === workspaceId
  return isOwn ? state : { ...state, promptUrl: undefined }
}

/** The log's word for a request that didn't connect. */
const endings = {
  refused: 'service-refused',
  'no-answer': 'service-unreachable',
} as const satisfies Readonly<Record<Exclude<ConnectOutcome['kind'], 'connected'>, RequestOutcome>>

export function registerAccount(
  listeners: Listeners,
  guard: Guard,
  room: AccountRoom,
  { after, forgetWorkspace }: { readonly after: Afterwards; readonly forgetWorkspace: ForgetWorkspace },
): void {
  const { tokens, outbound, answerForm, page } = room

  listeners.action(
    connectAction,
    guard.action('account', (pressed) => openWay(room, pressed, pressed.value, connectAnytime)),
  )

  // The browser opens the link; Slack reports the press.
  listeners.action(
    connectLinkAction,
    guard.action('account', async (pressed) => {
      const { asker, value, place, view } = pressed
      const waitingId = waitingIdIn(value)
      if (page === undefined) return openWay(room, pressed, waitingId, '')
      if (view === undefined) {
        const stand = { promptUrl: place.responseUrl, isFromView: false }
        const works = await linkPressed(page, asker, value, stand)
        return works ? undefined : openWay(room, pressed, waitingId, linkIsOver)
      }
      // In a modal: Bellhop has known where it is since it opened it.
      if (await linkPressed(page, asker, value, undefined)) return
      const link = await mintLink(page, asker, waitingId)
      await linkPressed(page, asker, link.value, { viewId: view.id, isFromView: true })
      const again = connectLinkModal(connectLinkButton(link), linkIsOver)
      await outbound.in(asker.workspaceId).updateView(view.id, again)
    }),
  )

  listeners.view(
    connectView,
    guard.submission('account', async (submission) => {
      const { asker, ack, answer, filled, privateMetadata, viewId } = submission
      const state = readState(privateMetadata, asker)
      const input = tokenInputAt(state.tries)
      const typed = checkToken(filled.text(input))
      if ('problem' in typed) return ack({ response_action: 'errors', errors: { [input]: typed.problem } })
      const { isSeen, problem, resumed, error } = await answerForm(submission, checkingModal(), () =>
        tryTyped(room, asker, typed.token, state),
      )
      if (error !== undefined) throw error
      if (problem !== undefined) return isSeen ? undefined : answer(say(`Not connected. ${problem}`))
      if (!isSeen && resumed === undefined) await answer(say('Connected.'))
      await goOn(room, after, asker, resumed, { ...state, viewId })
    }),
  )

  listeners.event(
    'user_change',
    guard.event(async ({ workspaceId, event }) => {
      const changed = z.object({ user: z.object({ id: slackId, deleted: z.boolean().nullish() }) })
      const change = readEvent(changed, event)
      if (change.user.deleted) await tokens.forget({ workspaceId, userId: change.user.id }, 'left')
    }),
  )

  listeners.event(
    'tokens_revoked',
    guard.event(async ({ workspaceId, event }) => {
      const ids = z.array(slackId).nullish()
      const { tokens: revoked } = readEvent(z.object({ tokens: z.object({ oauth: ids, bot: ids }) }), event)
      for (const userId of revoked.oauth ?? []) await tokens.forget({ workspaceId, userId }, 'revoked')
      if (revoked.bot?.length) await forgetWorkspace(workspaceId)
    }),
  )

  listeners.event(
    'app_uninstalled',
    guard.event(({ workspaceId }) => forgetWorkspace(workspaceId)),
  )
}

/** Opens the modal for a token, or one with a fresh link to the page. */
async function openWay(
  { page, outbound }: AccountRoom,
  pressed: ActionRequest,
  waitingId: string,
  text: string,
): Promise<void> {
  const { asker, triggerId, place, view } = pressed
  const slack = outbound.in(asker.workspaceId)
  const stand = { promptUrl: place.responseUrl, isFromView: view !== undefined }
  if (page === undefined) {
    const { workspaceId } = asker
    const state = JSON.stringify({ waitingId, ...stand, workspaceId })
    return void (await slack.openView(triggerId, connectModal(state)))
  }
  const link = await mintLink(page, asker, waitingId)
  const viewId = await slack.openView(triggerId, connectLinkModal(connectLinkButton(link), text))
  await linkPressed(page, asker, link.value, { ...stand, viewId })
}

/** The form after a token was typed. `error`: a defect, thrown once the form has its answer. */
interface Tried {
  readonly view: View
  readonly problem?: string
  readonly resumed?: Resumed | undefined
  readonly error?: unknown
}

async function tryTyped(room: AccountRoom, asker: Person, token: string, state: ModalState): Promise<Tried> {
  const { waitingId, tries } = state
  const again = (problem: string) => {
    const next = tries + 1
    return connectModal(JSON.stringify({ ...state, tries: next }), { tries: next, problem })
  }
  const tried = connectAccount(room, asker, token, waitingId)
  const outcome = await tried.catch((error: unknown) => ({ kind: 'failed' as const, error }))
  if (outcome.kind === 'failed') return { view: again(connectProblems.defect), error: outcome.error }
  if (outcome.kind !== 'connected') {
    endsAs(endings[outcome.kind])
    const problem = connectProblems[outcome.kind]
    return { view: again(problem), problem }
  }
  // They are connected, even if the waiting command is lost.
  const connected = (waiting?: Resumed) => connectedModal(outcome.lacksRights, waitsOf(waitingId, waiting))
  return takeWaiting(room, asker, waitingId).then(
    (resumed) => ({ view: connected(resumed), resumed }),
    (error: unknown) => ({ view: connected(), error }),
  )
}

/** `/alert connect`: the modal, with nothing waiting; its button where Slack opens no modals, or where there is a page. */
export async function openConnect(
  { page, outbound }: AccountRoom,
  { asker, triggerId, answer }: CommandRequest,
): Promise<void> {
  const button = await connectButtonFor(page, asker, '')
  if (triggerId === undefined || button.url !== undefined)
    return answer(renderConnectFirst(button, connectAnytime))
  const form = connectModal(JSON.stringify({ waitingId: '' }))
  await outbound.in(asker.workspaceId).openView(triggerId, form)
}

/** `/alert disconnect`. */
export async function disconnect({ tokens }: AccountRoom, request: CommandRequest): Promise<void> {
  const owner: SlackUser = request.asker
  await request.answer(renderDisconnected(await tokens.forget(owner)))
}
