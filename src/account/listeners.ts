// Slack's side of accounts: connect, disconnect, and forgetting who has left.
import { z } from 'zod'
import type { Guard } from '../slack/guard.ts'
import type { SlackUser } from '../slack/ids.ts'
import { readKept } from '../slack/kept-state.ts'
import type { Listeners } from '../slack/listeners.ts'
import { say, type View } from '../slack/message.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { isSlackFailure } from '../slack/refusals.ts'
import type { ActionRequest, CommandRequest } from '../slack/requests.ts'
import type { Connect } from './connect.ts'
import type { ButtonFor, ConnectFirst } from './connect-first.ts'
import { type GoOn, waitsOf } from './go-on.ts'
import { type Links, waitingIdIn } from './links.ts'
import {
  checkingModal,
  checkToken,
  connectedModal,
  connectLinkModal,
  connectModal,
  connectProblems,
  connectView,
  tokenInput,
} from './modal.ts'
import {
  connectAction,
  connectAnytime,
  connectLinkAction,
  connectLinkButton,
  linkIsOver,
  renderConnectFirst,
  renderDisconnected,
} from './render.ts'
import type { Tokens } from './tokens.ts'

/** Forgets what other rooms keep of a workspace. */
export type ForgetWorkspace = (workspaceId: string) => Promise<void>

/** The connect modal's `private_metadata`. */
const modalState = z.object({
  waitingId: z.string(),
  /** Where the message that asked to connect can be taken away. */
  promptUrl: z.string().optional(),
  /** Whose that is. Undefined in what was opened by a version that knew but one. */
  workspaceId: z.string().optional(),
  /** Its button is in a view. */
  isFromView: z.boolean().default(false),
})

/** What was opened in another workspace leads to no message. */
function readState(privateMetadata: string, { workspaceId }: SlackUser): z.infer<typeof modalState> {
  const state = readKept(modalState, privateMetadata)
  const isOwn = (state.workspaceId ?? workspaceId) === workspaceId
  return isOwn ? state : { ...state, promptUrl: undefined }
}

export function registerAccount(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly tokens: Tokens
    readonly connect: Connect
    readonly connectFirst: ConnectFirst
    readonly outbound: PerWorkspace<Outbound>
    readonly goOn: GoOn
    /** Undefined without a page: tokens are given in the modal. */
    readonly links: Links | undefined
    readonly forgetWorkspace: ForgetWorkspace
  },
): void {
  const { tokens, connect, connectFirst, outbound, goOn, links } = room

  /** The modal in which a token is given, or one with a fresh link to the page. */
  async function openWay(pressed: ActionRequest, waitingId: string, text: string): Promise<void> {
    const { asker, triggerId, place, view } = pressed
    const slack = outbound.in(asker.workspaceId)
    const stand = { promptUrl: place.responseUrl, isFromView: view !== undefined }
    if (links === undefined) {
      const { workspaceId } = asker
      const state = JSON.stringify({ waitingId, ...stand, workspaceId })
      return void (await slack.openView(triggerId, connectModal(state)))
    }
    const link = await links.mint(asker, waitingId)
    const viewId = await slack.openView(triggerId, connectLinkModal(connectLinkButton(link), text))
    await links.pressed(asker, link.value, { ...stand, viewId })
  }

  listeners.action(
    connectAction,
    guard.action('alert', (pressed) => openWay(pressed, pressed.value, connectAnytime)),
  )

  // The link opens by itself, and Slack tells of it.
  listeners.action(
    connectLinkAction,
    guard.action('alert', async (pressed) => {
      const { asker, value, place, view } = pressed
      const waitingId = waitingIdIn(value)
      if (links === undefined) return openWay(pressed, waitingId, '')
      if (view === undefined) {
        const stand = { promptUrl: place.responseUrl, isFromView: false }
        const works = await links.pressed(asker, value, stand)
        return works ? undefined : openWay(pressed, waitingId, linkIsOver)
      }
      // In a modal: where that stands is known since it was opened.
      if (await links.pressed(asker, value, undefined)) return
      const link = await links.mint(asker, waitingId)
      await links.pressed(asker, link.value, { viewId: view.id, isFromView: true })
      const again = connectLinkModal(connectLinkButton(link), linkIsOver)
      await outbound.in(asker.workspaceId).updateView(view.id, again)
    }),
  )

  listeners.view(
    connectView,
    guard.submission('alert', async ({ asker, ack, answer, filled, privateMetadata, viewId }) => {
      const typed = checkToken(filled.text(tokenInput))
      if ('problem' in typed)
        return ack({ response_action: 'errors', errors: { [tokenInput]: typed.problem } })
      const { waitingId, promptUrl, isFromView } = readState(privateMetadata, asker)
      await ack({ response_action: 'update', view: checkingModal() })

      /** False where the person does not see it: the modal was closed, or Slack does not take it. */
      const show = (view: View) =>
        outbound
          .in(asker.workspaceId)
          .updateView(viewId, view)
          .catch((error: unknown) => {
            if (isSlackFailure(error)) return false
            throw error
          })
      const { token } = typed
      const tried = connectFirst.peek(asker, waitingId).then((waits) => connect(asker, token, waits?.ks))
      const outcome = await tried.catch(async (error: unknown) => {
        await show(connectModal(privateMetadata, connectProblems.defect))
        throw error
      })
      if (outcome.kind !== 'connected') {
        const problem = connectProblems[outcome.kind]
        const isSeen = await show(connectModal(privateMetadata, problem))
        return isSeen ? undefined : answer(say(`Not connected. ${problem}`))
      }
      // Connected they are, whatever becomes of what waited.
      const resumed = await connectFirst.take(asker, waitingId).catch(async (error: unknown) => {
        await show(connectedModal(outcome.lacksRights, waitsOf(waitingId, undefined)))
        throw error
      })
      const isSeen = await show(connectedModal(outcome.lacksRights, waitsOf(waitingId, resumed)))
      if (!isSeen && resumed === undefined) await answer(say('Connected.'))
      await goOn(asker, resumed, { viewId, promptUrl, isFromView })
    }),
  )

  listeners.event(
    'user_change',
    guard.event(async ({ workspaceId, event }) => {
      const change = z
        .object({ user: z.object({ id: z.string(), deleted: z.boolean().nullish() }) })
        .parse(event)
      if (change.user.deleted) await tokens.forget({ workspaceId, userId: change.user.id }, 'left')
    }),
  )

  listeners.event(
    'tokens_revoked',
    guard.event(async ({ workspaceId, event }) => {
      const ids = z.array(z.string()).nullish()
      const { tokens: revoked } = z.object({ tokens: z.object({ oauth: ids, bot: ids }) }).parse(event)
      for (const userId of revoked.oauth ?? []) await tokens.forget({ workspaceId, userId }, 'revoked')
      if (revoked.bot?.length) await room.forgetWorkspace(workspaceId)
    }),
  )

  listeners.event(
    'app_uninstalled',
    guard.event(({ workspaceId }) => room.forgetWorkspace(workspaceId)),
  )
}

/** `/alert connect`: the modal, with nothing waiting; its button where Slack opens no modals, or where there is a page. */
export async function openConnect(
  room: { readonly outbound: PerWorkspace<Outbound>; readonly buttonFor: ButtonFor },
  { asker, triggerId, answer }: CommandRequest,
): Promise<void> {
  const button = await room.buttonFor(asker, '')
  if (triggerId === undefined || button.url !== undefined)
    return answer(renderConnectFirst(button, connectAnytime))
  const form = connectModal(JSON.stringify({ waitingId: '' }))
  await room.outbound.in(asker.workspaceId).openView(triggerId, form)
}

/** `/alert disconnect`. */
export async function disconnect(tokens: Tokens, request: CommandRequest): Promise<void> {
  const owner: SlackUser = request.asker
  await request.answer(renderDisconnected(await tokens.forget(owner)))
}
