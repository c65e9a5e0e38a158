// The guard before every listener: it acks, checks the payload and whose it is, catches what is thrown,
// and says the sentence. It must not know alerts or grants.
import type {
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import type { Log } from '../../log/log.ts'
import { endsAs, requestNow } from '../../log/request.ts'
import type { Gate } from '../gate/gate.ts'
import { keepModal, tooLong } from '../gate/held-back.ts'
import type { Topic } from '../observer.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { type Line, longestFree } from '../text/typed.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import type { AckedViews } from './answer-form.ts'
import type { EventGuard } from './events.ts'
import { OddInput, readInputs } from './filled.ts'
import type { MentionGuard } from './mention.ts'
import type { OnlyOnce } from './once.ts'
import {
  actionPayload,
  commandPayload,
  knownBy,
  messageShortcutPayload,
  shortcutPayload,
  submissionPayload,
} from './payloads.ts'
import type { ActionRequest, Asking, Command, MessageRequest, Request, Submission } from './requests.ts'
import type { Run } from './tell-failures.ts'
import type { TurnAway } from './turn-away.ts'
import {
  isDirect,
  type Owners,
  type PersonOf,
  presumedIdOf,
  type Sent,
  type Spot,
  sentAsCommand,
  sentBy,
  sentFromNowhere,
  spotOfPress,
  stranger,
} from './who.ts'

/**
 * Of a button its value, which Slack keeps short: true when it takes something back or away. Such a request is not held
 * back, however fast somebody asks.
 */
export type IsFree = (value: string) => boolean

/** What is let in although others like it are held back. */
export interface Leniency {
  readonly isFree?: IsFree
  /** Of the same: true when it changes nothing, so that it may come twice. */
  readonly onlyTells?: (value: string) => boolean
}

export interface Guard {
  /**
   * A line is read once; one that is not short, when its sender has been counted.
   * @param asked - What the service is asked for, for the sentence when it fails.
   */
  command(asked: Topic, command: Command): Middleware<SlackCommandMiddlewareArgs>
  action(
    asked: Topic,
    listener: (request: ActionRequest) => Promise<void>,
    how?: Leniency,
  ): Middleware<SlackActionMiddlewareArgs>
  /** Of a global shortcut: it comes from no conversation. */
  shortcut(
    asked: Topic,
    listener: (request: Request) => Promise<void>,
  ): Middleware<SlackShortcutMiddlewareArgs>
  /** Of a shortcut in a message's menu: what is answered goes into that message's thread. */
  messageShortcut(
    asked: Topic,
    listener: (request: MessageRequest) => Promise<void>,
  ): Middleware<SlackShortcutMiddlewareArgs>
  submission(
    asked: Topic,
    listener: (request: Submission) => Promise<void>,
    how?: Pick<Leniency, 'isFree'>,
  ): Middleware<SlackViewMiddlewareArgs>
  /** Runs work whose failures are told somewhere else than where the request came from. */
  readonly at: Run
  readonly event: EventGuard
  readonly mention: MentionGuard
}

/** Of what takes something away whatever its value. */
export const always: IsFree = () => true
const never: IsFree = () => false

export function createGuard(room: {
  readonly isKnown: () => boolean
  readonly owners: Owners
  readonly personOf: PersonOf
  readonly onlyOnce: OnlyOnce
  readonly delivery: Delivery
  readonly run: Run
  readonly event: EventGuard
  readonly mention: MentionGuard
  readonly gate: Gate
  readonly turnAway: TurnAway
  readonly ackedViews: Pick<AckedViews, 'acked'>
  readonly log: Log
}): Guard {
  const { isKnown, onlyOnce, run, event, mention, gate, ackedViews } = room
  const { forOurs, comeIn } = createAdmission(room)

  return {
    at: run,
    event,
    mention,
    command:
      (asked, command) =>
      async ({ ack, body }) => {
        const sent = commandPayload.parse(body)
        const { trigger_id: triggerId, text: line } = sent
        // The ack's own text: nothing more has to be sent.
        if ('tooLong' in line) return ack(notRead(asked, line))
        const { text } = line
        const early = text.length <= longestFree ? command(text) : undefined
        const busy = gate.busy(asked, early?.isFree || early?.onlyTells || false)
        if (busy !== undefined) return ack(busy)
        await ack()
        const id = knownBy(sent)
        let intent = early
        const read = () => {
          intent ??= command(text)
          return intent
        }
        const entering = {
          ...{ asked, sent: sentAsCommand(sent), isFree: early?.isFree ?? false },
          once: () => (read().onlyTells ? undefined : [id, sent.command]),
        }
        await forOurs(entering, (asking) =>
          read().run({ ...asking, triggerId: triggerId || undefined, id, text }),
        )
      },
    action:
      (asked, listener, { isFree = never, onlyTells = never } = {}) =>
      async ({ ack, body }) => {
        const pressed = actionPayload.parse(body)
        await ack()
        const { view, trigger_id: triggerId } = pressed
        const [action] = pressed.actions
        const value = action.value ?? action.selected_option?.value ?? ''
        const once = () => (onlyTells(value) ? undefined : [knownBy(pressed), action.action_id, value])
        const sent = sentBy(pressed, spotOfPress(pressed))
        await comeIn({ asked, sent, isFree: isFree(value), once }, (asking) =>
          listener({
            ...asking,
            triggerId,
            value,
            pressedAt: action.action_ts,
            view: view ? { id: view.id, privateMetadata: view.private_metadata } : undefined,
          }),
        )
      },
    shortcut:
      (asked, listener) =>
      async ({ ack, body }) => {
        const used = shortcutPayload.parse(body)
        await ack()
        await comeIn({ asked, sent: sentFromNowhere(used), isFree: false }, (asking) =>
          listener({ ...asking, triggerId: used.trigger_id }),
        )
      },
    messageShortcut:
      (asked, listener) =>
      async ({ ack, body }) => {
        const used = messageShortcutPayload.parse(body)
        await ack()
        const { channel, message } = used
        const spot: Spot = {
          userId: used.user.id,
          channelId: channel.id,
          responseUrl: used.response_url,
          isDirect: isDirect(channel.id, channel.name),
          threadTs: message.thread_ts ?? message.ts,
          isThreadNew: message.thread_ts === undefined,
        }
        const once = () => [knownBy(used), message.ts]
        await comeIn({ asked, sent: sentBy(used, spot), isFree: false, once }, (asking) =>
          listener({ ...asking, triggerId: used.trigger_id, message }),
        )
      },
    submission:
      (asked, listener, { isFree = never } = {}) =>
      async ({ ack, body }) => {
        const submitted = submissionPayload.parse(body)
        const { view } = submitted
        let isAcked = false
        const ackOnce: Submission['ack'] = async (response) => {
          isAcked = true
          if (response?.response_action === 'update') ackedViews.acked(view.id)
          await (response === undefined ? ack() : ack(response))
        }
        const refuse = (sentence: string) => ackOnce(keepModal(Object.keys(view.state), sentence))
        const refuseOdd = (error: unknown) => {
          if (!(error instanceof OddInput) || isAcked) throw error
          endsAs('user-error')
          return ackOnce(keepModal([error.input], error.sentence))
        }
        const free = isFree(view.private_metadata)
        const busy = gate.busy(asked, free)
        if (busy !== undefined) return refuse(busy)
        // Slack has not said yet who the bot is, and a submission must be answered within three seconds.
        if (!isKnown()) return refuse('Bellhop is just starting. Press again in a moment.')
        const onSettled = async () => {
          if (!isAcked) await ack()
        }
        const entering = { asked, sent: sentFromNowhere(submitted), isFree: free, refuse, onSettled }
        await forOurs(entering, (asking) => {
          let taken: Promise<void> | undefined
          const takeOnce = () => {
            taken ??= onlyOnce(asking.asker, [submitted.trigger_id || view.hash, view.id])
            return taken
          }
          return listener({
            ...asking,
            takeOnce,
            triggerId: submitted.trigger_id,
            viewId: view.id,
            privateMetadata: view.private_metadata,
            filled: readInputs(view.state, submitted.response_urls),
            async ack(response) {
              await ackOnce(response)
              // What only corrects the form does nothing, so that it may come twice.
              if (response?.response_action === 'errors') return endsAs('user-error')
              await takeOnce()
            },
          }).catch(refuseOdd)
        })
      },
  }
}

/** Notes a line that is too long, and says so. */
function notRead(asked: Topic, { tooLong: length }: Extract<Line, { tooLong: number }>): string {
  const request = requestNow()
  if (request !== undefined) {
    request.asked = asked
    request.outcome = 'user-error'
  }
  return tooLong(length)
}

/** What is asked, by whom and from where, and how it is turned down. */
interface Entering {
  readonly asked: Topic
  readonly sent: Sent
  /** It takes something back or away, and is not held back. */
  readonly isFree: boolean
  /** What the request is known by: the same one again is not let in. Asked once the person is counted. */
  readonly once?: () => readonly string[] | undefined
  /** Turns it down each time; else they are told privately, and not each time. */
  readonly refuse?: ((sentence: string) => Promise<void>) | undefined
  /** What settles it comes before a failure is told. */
  readonly onSettled?: () => Promise<void>
}

type Enter = (entering: Entering, work: (asking: Asking) => Promise<void>) => Promise<void>

interface Admission {
  /**
   * Strangers are told that they are, and get no further; nor does whoever asks too fast, or asks where the bot is not
   * installed. Never rejects.
   */
  readonly forOurs: Enter
  /** The whole way in of what is acked already. Never rejects. */
  readonly comeIn: Enter
}

/** Lets a request in, or says why not: too much is under way, whoever sent it is a stranger, or asks too fast. */
function createAdmission(room: {
  readonly owners: Owners
  readonly personOf: PersonOf
  readonly onlyOnce: OnlyOnce
  readonly delivery: Pick<Delivery, 'privately'>
  readonly run: Run
  readonly gate: Gate
  readonly turnAway: TurnAway
  readonly log: Log
}): Admission {
  const { owners, personOf, onlyOnce, delivery, run, gate, turnAway, log } = room

  const presumedPlace = ({ spot, addressed }: Sent): Place => ({
    ...spot,
    workspaceId: presumedIdOf(addressed),
  })

  const forOurs: Enter = async ({ asked, sent, isFree, once, refuse, onSettled }, work) => {
    const { addressed, sender, spot } = sent
    let place = presumedPlace(sent)

    async function listen(): Promise<void> {
      const installation = await owners.ofRequest(addressed)
      if (installation === undefined) return turnAway({ asked, sent, refuse })
      const here = { ...spot, workspaceId: workspaceIdOf(installation) }
      place = here
      const request = requestNow()
      // What the payload names may be the sender's own, in a shared channel.
      if (request !== undefined) request.workspace = here.workspaceId
      // Before Slack is asked who they are: strangers ask too fast as well.
      const person = { workspaceId: here.workspaceId, userId: sender.userId }
      const closed = isFree ? undefined : await gate.tooFast(asked, person)
      if (closed === undefined) {
        const asker = await personOf(installation, sender)
        log.debug(
          {
            name: request?.name,
            user: sender.userId,
            workspace: here.workspaceId,
            isOurs: asker !== undefined,
          },
          'who asks is known',
        )
        if (asker === undefined) return delivery.privately(here, stranger)
        const known = once?.()
        if (known !== undefined) await onlyOnce(asker, known)
        return work({ asker, place: here, answer: (message) => delivery.privately(here, message) })
      }
      if (refuse !== undefined) return refuse(closed.sentence)
      if (closed.isToBeTold) await delivery.privately(here, say(closed.sentence))
    }

    await run(
      asked,
      () => place,
      () => listen().finally(onSettled),
    )
  }

  return {
    forOurs,
    async comeIn(entering, work) {
      const busy = gate.busy(entering.asked, entering.isFree)
      if (busy !== undefined) return gate.tell(presumedPlace(entering.sent), busy)
      await forOurs(entering, work)
    },
  }
}
