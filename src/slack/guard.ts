// What stands before every listener: it acks, checks the payload and whose it is, catches what is thrown,
// and says the sentence. It must not know alerts or grants.
import type {
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import type { Asked } from './error-message.ts'
import type { EventGuard } from './event-guard.ts'
import { workspaceIdOf } from './installation.ts'
import { type Owners, presumedIdOf } from './owner.ts'
import {
  actionPayload,
  commandPayload,
  messageShortcutPayload,
  readInputs,
  shortcutPayload,
  submissionPayload,
} from './payloads.ts'
import { type PersonOf, stranger } from './person-of.ts'
import type { Delivery, Place } from './place.ts'
import type {
  ActionRequest,
  Asking,
  CommandRequest,
  MessageRequest,
  Request,
  Submission,
} from './requests.ts'
import type { SaidGuard } from './said-guard.ts'
import type { Run } from './tell-failures.ts'
import { isDirect, type Sent, type Spot, sentAsCommand, sentBy, sentFromNowhere, spotOfPress } from './who.ts'

export interface Guard {
  /** @param asked - What the service is asked for, for the sentence when it fails. */
  command(
    asked: Asked,
    listener: (request: CommandRequest) => Promise<void>,
  ): Middleware<SlackCommandMiddlewareArgs>
  action(
    asked: Asked,
    listener: (request: ActionRequest) => Promise<void>,
  ): Middleware<SlackActionMiddlewareArgs>
  /** Of a global shortcut: it comes from no conversation. */
  shortcut(
    asked: Asked,
    listener: (request: Request) => Promise<void>,
  ): Middleware<SlackShortcutMiddlewareArgs>
  /** Of a shortcut in a message's menu: what is answered goes into that message's thread. */
  messageShortcut(
    asked: Asked,
    listener: (request: MessageRequest) => Promise<void>,
  ): Middleware<SlackShortcutMiddlewareArgs>
  submission(
    asked: Asked,
    listener: (request: Submission) => Promise<void>,
  ): Middleware<SlackViewMiddlewareArgs>
  /** Runs work whose failures are told somewhere else than where the request came from. */
  readonly at: Run
  readonly event: EventGuard
  readonly said: SaidGuard
}

export function createGuard(room: {
  readonly isKnown: () => boolean
  readonly owners: Owners
  readonly personOf: PersonOf
  readonly delivery: Delivery
  readonly run: Run
  readonly event: EventGuard
  readonly said: SaidGuard
}): Guard {
  const { isKnown, owners, personOf, delivery, run, event, said } = room

  /** Strangers are told that they are, and get no further; where the bot is not installed, nothing happens. */
  async function forOurs(
    asked: Asked,
    { addressed, sender, spot }: Sent,
    work: (asking: Asking) => Promise<void>,
    onSettled: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    let place: Place = { ...spot, workspaceId: presumedIdOf(addressed) }

    async function listen(): Promise<void> {
      const installation = await owners.ofRequest(addressed)
      if (installation === undefined) return
      const known = { ...spot, workspaceId: workspaceIdOf(installation) }
      place = known
      const asker = await personOf(installation, sender)
      if (asker === undefined) return delivery.privately(known, stranger)
      await work({ asker, place: known, answer: (message) => delivery.privately(known, message) })
    }

    // What settles it comes before a failure is told.
    await run(
      asked,
      () => place,
      () => listen().finally(onSettled),
    )
  }

  return {
    at: run,
    event,
    said,
    command:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const command = commandPayload.parse(body)
        const { trigger_id: triggerId, text } = command
        await forOurs(asked, sentAsCommand(command), (asking) =>
          listener({ ...asking, triggerId, id: triggerId, text }),
        )
      },
    action:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const pressed = actionPayload.parse(body)
        const { view } = pressed
        const [action] = pressed.actions
        await forOurs(asked, sentBy(pressed, spotOfPress(pressed)), (asking) =>
          listener({
            ...asking,
            triggerId: pressed.trigger_id,
            value: action.value ?? action.selected_option?.value ?? '',
            pressedAt: action.action_ts,
            view: view ? { id: view.id, privateMetadata: view.private_metadata } : undefined,
          }),
        )
      },
    shortcut:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const used = shortcutPayload.parse(body)
        await forOurs(asked, sentFromNowhere(used), (asking) =>
          listener({ ...asking, triggerId: used.trigger_id }),
        )
      },
    messageShortcut:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const used = messageShortcutPayload.parse(body)
        const { channel, message } = used
        const spot: Spot = {
          userId: used.user.id,
          channelId: channel.id,
          responseUrl: used.response_url,
          isDirect: isDirect(channel.id, channel.name),
          threadTs: message.thread_ts ?? message.ts,
          isThreadNew: message.thread_ts === undefined,
        }
        await forOurs(asked, sentBy(used, spot), (asking) =>
          listener({ ...asking, triggerId: used.trigger_id, message }),
        )
      },
    submission:
      (asked, listener) =>
      async ({ ack, body }) => {
        const submitted = submissionPayload.parse(body)
        const { view } = submitted
        const [input] = Object.keys(view.state.values)
        if (!isKnown() && input !== undefined) {
          // Slack has not said yet who the bot is, and a submission must be answered within three seconds.
          const starting = 'Bellhop is just starting. Press again in a moment.'
          return void (await ack({ response_action: 'errors', errors: { [input]: starting } }))
        }
        let isAcked = false
        const ackOnce: Submission['ack'] = async (response) => {
          isAcked = true
          await (response === undefined ? ack() : ack(response))
        }
        const listen = (asking: Asking) =>
          listener({
            ...asking,
            triggerId: submitted.trigger_id,
            viewId: view.id,
            privateMetadata: view.private_metadata,
            filled: readInputs(view.state.values),
            responseUrls: submitted.response_urls.map((one) => ({
              channelId: one.channel_id,
              url: one.response_url,
            })),
            ack: ackOnce,
          })
        await forOurs(asked, sentFromNowhere(submitted), listen, async () => {
          if (!isAcked) await ack()
        })
      },
  }
}
