// What stands before every listener: it acks, checks the payload and whose it is, catches what is thrown,
// and says the sentence. It must not know alerts or grants.
import type {
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import type { z } from 'zod'
import type { Asked } from './error-message.ts'
import type { EventGuard } from './event-guard.ts'
import { type Installed, isOurs, workspaceIdOf } from './installation.ts'
import { type Message, say } from './message.ts'
import { actionPayload, commandPayload, readInputs, shortcutPayload, submissionPayload } from './payloads.ts'
import type { Delivery, Place } from './place.ts'
import type { ActionRequest, CommandRequest, Person, Request, Submission } from './requests.ts'
import type { Run } from './tell-failures.ts'

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
  submission(
    asked: Asked,
    listener: (request: Submission) => Promise<void>,
  ): Middleware<SlackViewMiddlewareArgs>
  /** Runs work whose failures are told somewhere else than where the request came from. */
  readonly at: Run
  readonly event: EventGuard
}

const stranger = say(
  'Bellhop works for the people of the workspace it is installed in, and you belong to another organisation. Ask a colleague there.',
)

/** Where there is no conversation. */
function nowhere(userId: string): Place {
  return { userId, channelId: undefined, responseUrl: undefined, isDirect: false }
}

/** Slack names people and teams in several ways; each payload has some of them. */
function whoIs({
  user,
  team,
  enterprise,
}: Pick<z.infer<typeof shortcutPayload>, 'user' | 'team' | 'enterprise'>) {
  return {
    userId: user.id,
    name: user.username ?? user.name,
    teamId: user.team_id ?? team?.id,
    enterpriseId: enterprise?.id ?? team?.enterprise_id,
  }
}

export function createGuard(room: {
  readonly installed: Installed
  readonly delivery: Delivery
  readonly run: Run
  readonly event: EventGuard
}): Guard {
  const { installed, delivery, run, event } = room

  async function personFrom(from: {
    readonly userId: string
    readonly name: string | null | undefined
    readonly teamId: string | null | undefined
    readonly enterpriseId: string | null | undefined
  }): Promise<Person | undefined> {
    const installation = await installed.installation()
    const { teamId, enterpriseId } = from
    if (!isOurs(installation, { teamId: teamId ?? undefined, enterpriseId: enterpriseId ?? undefined }))
      return undefined
    return { workspaceId: workspaceIdOf(installation), userId: from.userId, name: from.name ?? from.userId }
  }

  function isDirect(channelId: string, channelName: string): boolean {
    return channelId.startsWith('D') || channelName === 'directmessage' || channelName.startsWith('mpdm-')
  }

  return {
    at: run,
    event,
    command:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const command = commandPayload.parse(body)
        const place: Place = {
          userId: command.user_id,
          channelId: command.channel_id,
          responseUrl: command.response_url,
          isDirect: isDirect(command.channel_id, command.channel_name),
        }
        await run(asked, place, async () => {
          const asker = await personFrom({
            userId: command.user_id,
            name: command.user_name,
            teamId: command.team_id,
            enterpriseId: command.enterprise_id,
          })
          if (asker === undefined) return delivery.privately(place, stranger)
          const { trigger_id: triggerId, text } = command
          const answer = (message: Message) => delivery.privately(place, message)
          await listener({ asker, place, triggerId, text, answer })
        })
      },
    action:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const pressed = actionPayload.parse(body)
        const { user, team, enterprise, view, channel, container } = pressed
        const place: Place = {
          userId: user.id,
          channelId: channel?.id,
          responseUrl: pressed.response_url,
          isDirect: channel != null && isDirect(channel.id, channel.name),
          pressedTs: container?.message_ts,
        }
        await run(asked, place, async () => {
          const asker = await personFrom(whoIs({ user, team, enterprise }))
          if (asker === undefined) return delivery.privately(place, stranger)
          const answer = (message: Message) => delivery.privately(place, message)
          await listener({
            asker,
            place,
            triggerId: pressed.trigger_id,
            value: pressed.actions[0].value ?? '',
            pressedAt: pressed.actions[0].action_ts,
            view: view ? { id: view.id, privateMetadata: view.private_metadata } : undefined,
            answer,
          })
        })
      },
    shortcut:
      (asked, listener) =>
      async ({ ack, body }) => {
        await ack()
        const { user, team, enterprise, trigger_id: triggerId } = shortcutPayload.parse(body)
        const place = nowhere(user.id)
        await run(asked, place, async () => {
          const asker = await personFrom(whoIs({ user, team, enterprise }))
          if (asker === undefined) return delivery.privately(place, stranger)
          await listener({ asker, place, triggerId, answer: (message) => delivery.privately(place, message) })
        })
      },
    submission:
      (asked, listener) =>
      async ({ ack, body }) => {
        const submitted = submissionPayload.parse(body)
        const { user, team, enterprise, view } = submitted
        const place = nowhere(user.id)
        let isAcked = false
        const ackOnce: Submission['ack'] = async (response) => {
          isAcked = true
          await (response === undefined ? ack() : ack(response))
        }
        await run(asked, place, async () => {
          try {
            const [input] = Object.keys(view.state.values)
            if (!installed.isKnown() && input !== undefined) {
              // Slack has not said yet who the bot is, and a submission must be answered within three seconds.
              const starting = 'Bellhop is just starting. Press again in a moment.'
              return await ackOnce({ response_action: 'errors', errors: { [input]: starting } })
            }
            const asker = await personFrom(whoIs({ user, team, enterprise }))
            if (asker === undefined) return await delivery.privately(place, stranger)
            await listener({
              asker,
              place,
              triggerId: submitted.trigger_id,
              viewId: view.id,
              privateMetadata: view.private_metadata,
              filled: readInputs(view.state.values),
              responseUrls: submitted.response_urls.map((one) => ({
                channelId: one.channel_id,
                url: one.response_url,
              })),
              answer: (message) => delivery.privately(place, message),
              ack: ackOnce,
            })
          } finally {
            if (!isAcked) await ack()
          }
        })
      },
  }
}
