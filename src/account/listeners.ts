// Slack's side of accounts: connect, disconnect, and forgetting who has left.
import type { App } from '@slack/bolt'
import { z } from 'zod'
import type { Guard } from '../slack/guard.ts'
import type { SlackUser } from '../slack/ids.ts'
import { readKept } from '../slack/kept-state.ts'
import { say, type View } from '../slack/message.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { isSlackFailure } from '../slack/refusals.ts'
import type { CommandRequest, Person } from '../slack/requests.ts'
import type { Connect } from './connect.ts'
import type { ConnectFirst, Resumed } from './connect-first.ts'
import { checkingModal, checkToken, connectedModal, connectModal, connectView, tokenInput } from './modal.ts'
import { connectAction, connectAnytime, renderConnectFirst, renderDisconnected } from './render.ts'
import type { Tokens } from './tokens.ts'

/** Goes on with what waited for an account. Supplied by `app`, which knows the features. */
export type Resume = (asker: Person, resumed: Resumed, viewId: string) => Promise<void>

/** Forgets what other rooms keep of a workspace. */
export type ForgetWorkspace = (workspaceId: string) => Promise<void>

/** Somebody has connected an account. Supplied by `app`. @param isFromView - By a button that is not in a message. */
export type OnConnected = (owner: SlackUser, isFromView: boolean) => Promise<void>

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
  app: App,
  guard: Guard,
  room: {
    readonly tokens: Tokens
    readonly connect: Connect
    readonly connectFirst: ConnectFirst
    readonly outbound: PerWorkspace<Outbound>
    readonly resume: Resume
    readonly onConnected: OnConnected
    readonly forgetWorkspace: ForgetWorkspace
  },
): void {
  const { tokens, connect, connectFirst, outbound } = room

  app.action(
    connectAction,
    guard.action('alert', async ({ asker, triggerId, value, place, view }) => {
      const isFromView = view !== undefined
      const { workspaceId } = asker
      const promptUrl = place.responseUrl
      const state = JSON.stringify({ waitingId: value, promptUrl, workspaceId, isFromView })
      await outbound.in(asker.workspaceId).openView(triggerId, connectModal(state))
    }),
  )

  app.view(
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
      const waits = await connectFirst.peek(asker, waitingId)
      const outcome = await connect(asker, typed.token, waits?.ks).catch(async (error: unknown) => {
        await show(connectModal(privateMetadata, 'Something went wrong in Bellhop. Try again in a minute.'))
        throw error
      })
      if (outcome.kind !== 'connected') {
        const problem = problems[outcome.kind]
        const isSeen = await show(connectModal(privateMetadata, problem))
        return isSeen ? undefined : answer(say(`Not connected. ${problem}`))
      }
      const resumed = await connectFirst.take(asker, waitingId)
      const isSeen = await show(connectedModal(outcome.lacksRights, waitState(waitingId, resumed)))
      if (!isSeen && resumed === undefined) await answer(say('Connected.'))
      if (resumed !== undefined) {
        await guard.at(resumed.asked, resumed.place, () => room.resume(asker, resumed, viewId))
      }
      await room.onConnected(asker, isFromView)
      if (promptUrl !== undefined)
        await outbound
          .in(asker.workspaceId)
          .retract(promptUrl)
          .catch(() => undefined)
    }),
  )

  app.event(
    'user_change',
    guard.event(async ({ workspaceId, event }) => {
      const change = z
        .object({ user: z.object({ id: z.string(), deleted: z.boolean().default(false) }) })
        .parse(event)
      if (change.user.deleted) await tokens.forget({ workspaceId, userId: change.user.id }, 'left')
    }),
  )

  app.event(
    'tokens_revoked',
    guard.event(async ({ workspaceId, event }) => {
      const ids = z.array(z.string()).default([])
      const { tokens: revoked } = z.object({ tokens: z.object({ oauth: ids, bot: ids }) }).parse(event)
      for (const userId of revoked.oauth) await tokens.forget({ workspaceId, userId }, 'revoked')
      if (revoked.bot.length > 0) await room.forgetWorkspace(workspaceId)
    }),
  )

  app.event(
    'app_uninstalled',
    guard.event(({ workspaceId }) => room.forgetWorkspace(workspaceId)),
  )
}

const problems = {
  refused: 'The monitoring service does not know this token (401). Check that you copied all of it.',
  withdrawn: 'You were disconnected while the token was tried, so it was not kept.',
  'no-answer':
    'The monitoring service did not answer, so the token could not be tried. Try again in a minute.',
} as const

function waitState(waitingId: string, resumed: Resumed | undefined) {
  if (resumed === undefined) return waitingId === '' ? 'nothing-waits' : 'not-kept'
  return resumed.isOld ? 'waited-too-long' : 'goes-on'
}

/** `/alert connect`: the modal, with nothing waiting; its button where Slack opens no modals. */
export async function openConnect(outbound: PerWorkspace<Outbound>, request: CommandRequest): Promise<void> {
  const { asker, triggerId, answer } = request
  if (triggerId === undefined) return answer(renderConnectFirst('', connectAnytime))
  await outbound.in(asker.workspaceId).openView(triggerId, connectModal(JSON.stringify({ waitingId: '' })))
}

/** `/alert disconnect`. */
export async function disconnect(tokens: Tokens, request: CommandRequest): Promise<void> {
  const owner: SlackUser = request.asker
  await request.answer(renderDisconnected(await tokens.forget(owner)))
}
