// Guard before every listener: the one way in for whatever Slack sends. It must not know alerts or grants.
//
//   kind              steps, in this order, once its payload is read
//   command           ack* · charge · who · once* · listener
//   press             ack · charge · who · once* · listener
//   message shortcut  ack · charge · who · once · listener
//   global shortcut   ack · charge · who · listener
//   submission        charge · who · listener, which acks, and `once` with that
//   suggestion        charge* · who · listener, whose answer is the ack: `suggestions.ts`
//   mention           charge · who · once · listener
//   other event       listener
//
//   ack      tells Slack that it is there
//   charge   counts it against its sender's limit, unless it takes something back or away
//   who      finds out who sent it (`who.ts`); strangers get no further
//   once     refuses a request that came before
//
//   * Ack of a command: a help text or another answer known at once goes into the ack, within a second
//     (`response-url.ts`). Charge of a suggestion: it has a limit of its own. Once of a command or press: read-only ones
//     may come twice.
//
// A failure from `charge` on is told to whoever sent it (`tellFailures`). Other events fail in the log alone
// (`createEventGuard`); their listeners charge people themselves, with `gate.chargeSilently`, and look up who it was.
import type {
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import { UserError } from '../../errors.ts'
import { endsAs, setAbout } from '../../log/request.ts'
import { justStarting, keepModal, tooLongSentence } from '../gate/gate.ts'
import type { Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { aboutOf, type Topic } from '../request-topics.ts'
import { createEventGuard } from './event-guard.ts'
import { refuseIfReplayed } from './once.ts'
import {
  actionPayload,
  commandPayload,
  knownBy,
  messageShortcutPayload,
  shortcutPayload,
  submissionPayload,
  writtenPayload,
} from './payloads.ts'
import {
  type ActionRequest,
  type Command,
  type Leniency,
  type Mention,
  type MessageRequest,
  OddInput,
  type Request,
  readInputs,
  type Said,
  type Submission,
} from './requests.ts'
import type { GuardRoom } from './room.ts'
import {
  askOf,
  asRead,
  chargeAndIdentify,
  enter,
  isUnlimited,
  listenUnlessStranger,
  readLine,
} from './steps.ts'
import { createSuggestionGuard } from './suggestions.ts'
import { tellFailures } from './tell-failures.ts'
import { isDirectOrGroup, type Spot, sentAsCommand, sentBy, sentFromNowhere, spotOfPress } from './who.ts'

/** Stands before every listener. Each kind of what Slack sends says how its payload is read and acked. */
export type Guard = ReturnType<typeof createGuard>

export function createGuard(room: GuardRoom) {
  const event = createEventGuard(room)

  return {
    /** @param topic - What is taken to be asked for, for the sentence when it fails. */
    command:
      <Ask>(topic: Topic, command: Command<Ask>): Middleware<SlackCommandMiddlewareArgs> =>
      async ({ ack, body }) => {
        const sent = commandPayload.parse(body)
        const { trigger_id: triggerId, text: line } = sent
        // The ack's own text: nothing more has to be sent.
        if ('tooLong' in line) return ack(notRead(topic, line.tooLong))
        const { text } = line
        const reading = readLine(command, text, text.length)
        const id = knownBy(sent)
        const known = [id, sent.command]
        const entering = { topic, sent: sentAsCommand(sent), reading, leniency: command, known }
        const answer = () =>
          enter(room, entering, (asking, ask) =>
            command.run({ ...asking, triggerId: triggerId || undefined, id, text }, ask),
          )
        const isAtOnce = reading.kind === 'read' && command.isAtOnce?.(reading.ask, sent.user_id)
        if (isAtOnce && sent.response_url) return room.heldAcks.during(sent.response_url, ack, answer)
        await ack()
        await answer()
      },

    action:
      (
        topic: Topic,
        listener: (request: ActionRequest) => Promise<void>,
        how: Partial<Leniency<string>> = {},
      ): Middleware<SlackActionMiddlewareArgs> =>
      async ({ ack, body }) => {
        const pressed = actionPayload.parse(body)
        await ack()
        const { view, trigger_id: triggerId } = pressed
        const [action] = pressed.actions
        const value = action.value ?? action.selected_option?.value ?? ''
        const sent = sentBy(pressed, spotOfPress(pressed))
        const known = [knownBy(pressed), action.action_id, value]
        await enter(room, { topic, sent, ...asRead(value, how), known }, (asking) =>
          listener({
            ...asking,
            triggerId,
            value,
            pressedAt: action.action_ts,
            view: view
              ? {
                  id: view.id,
                  privateMetadata: view.private_metadata,
                  hash: view.hash,
                  filled: readInputs(view.state, []),
                  blocks: view.blocks,
                }
              : undefined,
          }),
        )
      },

    /** Of a global shortcut: it comes from no conversation. */
    shortcut:
      (
        topic: Topic,
        listener: (request: Request) => Promise<void>,
      ): Middleware<SlackShortcutMiddlewareArgs> =>
      async ({ ack, body }) => {
        const used = shortcutPayload.parse(body)
        await ack()
        await enter(room, { topic, sent: sentFromNowhere(used), ...asRead('') }, (asking) =>
          listener({ ...asking, triggerId: used.trigger_id }),
        )
      },

    /** Of a shortcut in a message's menu: what is answered goes into that message's thread. */
    messageShortcut:
      (
        topic: Topic,
        listener: (request: MessageRequest) => Promise<void>,
      ): Middleware<SlackShortcutMiddlewareArgs> =>
      async ({ ack, body }) => {
        const used = messageShortcutPayload.parse(body)
        await ack()
        const { channel, message } = used
        const spot: Spot = {
          userId: used.user.id,
          channelId: channel.id,
          responseUrl: used.response_url,
          isDirect: isDirectOrGroup(channel.id, channel.name),
          threadTs: message.thread_ts ?? message.ts,
          isThreadNew: message.thread_ts === undefined,
        }
        const known = [knownBy(used), message.ts]
        await enter(room, { topic, sent: sentBy(used, spot), ...asRead(''), known }, (asking) =>
          listener({ ...asking, triggerId: used.trigger_id, message }),
        )
      },

    /**
     * The listener acks: what it says then is shown in the form.
     * @param how - Its question is about the form's `private_metadata`.
     */
    submission:
      (
        topic: Topic,
        listener: (request: Submission) => Promise<void>,
        how: Partial<Pick<Leniency<string>, 'isUnlimited'>> = {},
      ): Middleware<SlackViewMiddlewareArgs> =>
      async ({ ack, body }) => {
        const submitted = submissionPayload.parse(body)
        const { view } = submitted
        let isAcked = false
        const ackOnce: Submission['ack'] = async (response) => {
          isAcked = true
          if (response?.response_action === 'update') room.ackedViews.acked(view.id)
          await (response === undefined ? ack() : ack(response))
        }
        const refuse = (sentence: string) => ackOnce(keepModal(Object.keys(view.state), sentence))
        const refuseOdd = (error: unknown) => {
          if (!(error instanceof OddInput) || isAcked) throw error
          endsAs('user-error')
          return ackOnce(keepModal([error.input], error.sentence))
        }
        const { reading, leniency } = asRead(view.private_metadata, how)
        // Slack has not said yet who the bot is: charging them would wait for that, and Slack waits three seconds for the ack.
        if (!room.isKnown()) return refuse(justStarting)
        const ackAtLast = async () => {
          if (!isAcked) await ack()
        }
        const sent = sentFromNowhere(submitted)
        await enter(room, { topic, sent, reading, leniency, refuse, ackAtLast }, (asking) => {
          let claimed: Promise<void> | undefined
          const claim = () => {
            claimed ??= refuseIfReplayed(room.once, asking.asker, [
              submitted.trigger_id || view.hash,
              view.id,
            ])
            return claimed
          }
          return listener({
            ...asking,
            claim,
            triggerId: submitted.trigger_id,
            viewId: view.id,
            privateMetadata: view.private_metadata,
            filled: readInputs(view.state, submitted.response_urls),
            async ack(response) {
              await ackOnce(response)
              // What only corrects the form does nothing, so that it may come twice.
              if (response?.response_action === 'errors') return endsAs('user-error')
              await claim()
            },
          }).catch(refuseOdd)
        })
      },

    event,

    /** Of a menu that suggests while somebody types. */
    options: createSuggestionGuard(room),

    /**
     * Of what people write to the bot: in a mention, or in their direct message with it. Bots, edits and what is
     * delivered twice never reach the command.
     * @param topicOf - What it is taken for when it fails, from its words.
     */
    mention: <Ask>(
      topicOf: (text: string) => Topic,
      command: Command<Ask, Mention, Said>,
    ): Middleware<SlackEventMiddlewareArgs> =>
      event(async ({ workspaceId, botUserId, event: given }) => {
        const message = writtenPayload.safeParse(given)
        // Bots, edits and deletions have other fields.
        if (!message.success || message.data.user === botUserId) return
        const { type, ts, user: userId, text: line, channel: channelId, thread_ts } = message.data
        const threadTs = thread_ts ?? undefined
        const isOwnDirect = message.data.channel_type === 'im'
        // An app may be told of every message in a channel; only those that name the bot are for it.
        if (type === 'message' && !isOwnDirect) return
        if (!(await room.scopes.in(workspaceId).isOn(isOwnDirect ? 'directWords' : 'mentions'))) return
        // A mention does not say that it stands in a group message: there it is taken for one in a channel.
        const where = { channelId, responseUrl: undefined, isDirect: isOwnDirect, threadTs }
        const place: Place = { workspaceId, userId, ...where }
        const [text, length] = 'text' in line ? [line.text, line.text.length] : ['', line.tooLong]
        const topic = topicOf(text)
        const reading = readLine(command, { text, botUserId, isDirect: isOwnDirect }, length)
        await tellFailures(room, topic, place, async () => {
          const sender = await chargeAndIdentify(room, {
            topic,
            place,
            isUnlimited: isUnlimited(reading, command),
            turnDown: async ({ sentence, isToBeTold }) =>
              isToBeTold ? room.delivery.privately(place, say(sentence)) : undefined,
            async identify() {
              const { name, handle, isBot, isStranger } = await room.people.in(workspaceId).writerOf(userId)
              return { asker: isStranger ? undefined : { workspaceId, userId, name, handle }, isBot }
            },
          })
          if (sender === undefined || sender.isBot) return
          if (!(await room.once.claim(workspaceId, `said ${channelId} ${ts}`))) return
          await listenUnlessStranger(room, sender, place, async (asking) => {
            if ('tooLong' in line) throw new UserError(tooLongSentence(line.tooLong))
            await command.run({ ...asking, id: `${channelId} ${ts}` }, askOf(reading))
          })
        })
      }),

    /** Runs work, and tells its failures in this topic's words, at this place. */
    tellingFailures: (topic: Topic, place: Place, work: () => Promise<void>): Promise<void> =>
      tellFailures(room, topic, place, work),
  }
}

/** Leniency for a button that takes something away, whatever its value. */
export const always = () => true

/** Notes a line that is too long, and says so. */
function notRead(topic: Topic, length: number): string {
  setAbout(aboutOf[topic])
  endsAs('user-error')
  return tooLongSentence(length)
}
