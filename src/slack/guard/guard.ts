// The one way in. Whatever Slack sends takes the same steps, in this order, before a listener has it:
//   payload → ack → whose it is → gate → who sent it → once → listener → failures told
// It must not know alerts or grants.
import type {
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import { UserError } from '../../errors.ts'
import { endsAs, requestNow } from '../../log/request.ts'
import { classify } from '../client/refusals.ts'
import type { Closed } from '../gate/gate.ts'
import {
  justStarting,
  keepModal,
  notInstalledSentence,
  renderNotInstalled,
  stranger,
  tooLong,
} from '../gate/not-begun.ts'
import type { Person } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { longestFree } from '../text/typed.ts'
import { aboutOf, type Topic } from '../topics.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { createEventGuard } from './events.ts'
import { OddInput, readInputs } from './filled.ts'
import { onlyOnce } from './once.ts'
import {
  actionPayload,
  commandPayload,
  knownBy,
  messageShortcutPayload,
  shortcutPayload,
  submissionPayload,
  writtenPayload,
} from './payloads.ts'
import type {
  ActionRequest,
  Asking,
  Command,
  Leniency,
  Mention,
  MessageRequest,
  Request,
  Said,
  Submission,
} from './requests.ts'
import type { GuardRoom } from './room.ts'
import { tellFailures } from './tell-failures.ts'
import {
  isDirect,
  presumedIdOf,
  type Sent,
  type Spot,
  sentAsCommand,
  sentBy,
  sentFromNowhere,
  spotOfPress,
} from './who.ts'

/** Stands before every listener. Each kind of what Slack sends says how its payload is read and acked. */
export type Guard = ReturnType<typeof createGuard>

export function createGuard(room: GuardRoom) {
  const { gate } = room
  const event = createEventGuard(room)

  return {
    /** @param asked - What is taken to be asked for, for the sentence when it fails. */
    command:
      <Ask>(asked: Topic, command: Command<Ask>): Middleware<SlackCommandMiddlewareArgs> =>
      async ({ ack, body }) => {
        const sent = commandPayload.parse(body)
        const { trigger_id: triggerId, text: line } = sent
        // The ack's own text: nothing more has to be sent.
        if ('tooLong' in line) return ack(notRead(asked, line.tooLong))
        const { text } = line
        const reading = readLine(command, text, text.length)
        const busy = gate.busy(asked, isLenient(reading, command))
        if (busy !== undefined) return ack(busy)
        await ack()
        const id = knownBy(sent)
        const known = [id, sent.command]
        const entering = { asked, sent: sentAsCommand(sent), reading, leniency: command, known }
        await enter(room, entering, (asking, ask) =>
          command.run({ ...asking, triggerId: triggerId || undefined, id, text }, ask),
        )
      },

    action:
      (
        asked: Topic,
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
        await comeIn(room, { asked, sent, ...readAlready(value, how), known }, (asking) =>
          listener({
            ...asking,
            triggerId,
            value,
            pressedAt: action.action_ts,
            view: view ? { id: view.id, privateMetadata: view.private_metadata } : undefined,
          }),
        )
      },

    /** Of a global shortcut: it comes from no conversation. */
    shortcut:
      (
        asked: Topic,
        listener: (request: Request) => Promise<void>,
      ): Middleware<SlackShortcutMiddlewareArgs> =>
      async ({ ack, body }) => {
        const used = shortcutPayload.parse(body)
        await ack()
        await comeIn(room, { asked, sent: sentFromNowhere(used), ...readAlready('') }, (asking) =>
          listener({ ...asking, triggerId: used.trigger_id }),
        )
      },

    /** Of a shortcut in a message's menu: what is answered goes into that message's thread. */
    messageShortcut:
      (
        asked: Topic,
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
          isDirect: isDirect(channel.id, channel.name),
          threadTs: message.thread_ts ?? message.ts,
          isThreadNew: message.thread_ts === undefined,
        }
        const known = [knownBy(used), message.ts]
        await comeIn(room, { asked, sent: sentBy(used, spot), ...readAlready(''), known }, (asking) =>
          listener({ ...asking, triggerId: used.trigger_id, message }),
        )
      },

    /** The listener acks: what it says then is shown in the form. @param how - Of what the form remembers. */
    submission:
      (
        asked: Topic,
        listener: (request: Submission) => Promise<void>,
        how: Partial<Pick<Leniency<string>, 'isFree'>> = {},
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
        const { reading, leniency } = readAlready(view.private_metadata, how)
        const busy = gate.busy(asked, isLenient(reading, leniency))
        if (busy !== undefined) return refuse(busy)
        // Slack has not said yet who the bot is, and a submission must be answered within three seconds.
        if (!room.isKnown()) return refuse(justStarting)
        const onSettled = async () => {
          if (!isAcked) await ack()
        }
        const sent = sentFromNowhere(submitted)
        await enter(room, { asked, sent, reading, leniency, refuse, onSettled }, (asking) => {
          let taken: Promise<void> | undefined
          const takeOnce = () => {
            taken ??= onlyOnce(room.once, asking.asker, [submitted.trigger_id || view.hash, view.id])
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

    event,

    /**
     * Of what people write to the bot: in a mention, or in their direct message with it. Bots, edits and what is
     * delivered twice never reach the command.
     * @param topicOf - What it is taken for when it fails, from its words.
     */
    mention: <Ask>(
      topicOf: (text: string) => Topic,
      command: Command<Ask, Mention, Said>,
    ): Middleware<SlackEventMiddlewareArgs> =>
      event(async ({ workspaceId, botUserId, event: given, isAgain }) => {
        const message = writtenPayload.safeParse(given)
        // Bots, edits and deletions have other fields.
        if (!message.success || message.data.user === botUserId) return
        const { type, ts, user: userId, text: line, channel: channelId, thread_ts } = message.data
        const threadTs = thread_ts ?? undefined
        const isDirect = message.data.channel_type === 'im'
        // An app may be told of every message in a channel; only those that name the bot are for it.
        if (type === 'message' && !isDirect) return
        if (!(await room.scopes.in(workspaceId).isOn(isDirect ? 'directWords' : 'mentions'))) return
        const place: Place = { workspaceId, userId, channelId, responseUrl: undefined, isDirect, threadTs }
        const [text, length] = 'text' in line ? [line.text, line.text.length] : ['', line.tooLong]
        const asked = topicOf(text)
        const reading = readLine(command, { text, botUserId }, length)
        const busy = gate.busy(asked, isLenient(reading, command), 1)
        if (busy !== undefined) return gate.tell(place, busy)
        const sender = await admit(room, {
          ...{ asked, place, isFree: isFree(reading, command) || isAgain },
          turnDown: async ({ sentence, isToBeTold }) => (isToBeTold ? gate.tell(place, sentence) : undefined),
          async who() {
            const { name, handle, isBot, isStranger } = await room.people.in(workspaceId).writerOf(userId)
            return { asker: isStranger ? undefined : { workspaceId, userId, name, handle }, isBot }
          },
        })
        if (sender === undefined || sender.isBot) return
        if (!(await room.once.first(workspaceId, `said ${channelId} ${ts}`))) return
        // From here on a failure is told, and the event is not tried again.
        await tellFailures(room, asked, place, () =>
          letListen(room, sender, place, async (asking) => {
            if ('tooLong' in line) throw new UserError(tooLong(line.tooLong))
            await command.run({ ...asking, id: `${channelId} ${ts}` }, whatIsAsked(reading))
          }),
        )
      }),

    /** Runs work whose failures are told somewhere else than where the request came from. */
    at: (asked: Topic, place: Place, work: () => Promise<void>): Promise<void> =>
      tellFailures(room, asked, place, work),
  }
}

/** Of what takes something away whatever its value. */
export const always = () => true
const never = () => false

/** What is asked: read already, or a long line, which is parsed when its sender has been counted. */
type Reading<Ask> =
  | { readonly kind: 'read'; readonly ask: Ask }
  | { readonly kind: 'unread'; readonly parse: () => Ask }

/** A line is parsed here, or in `whatIsAsked`. */
function readLine<Ask, Line>(
  command: Pick<Command<Ask, never, Line>, 'parse'>,
  line: Line,
  length: number,
): Reading<Ask> {
  return length <= longestFree
    ? { kind: 'read', ask: command.parse(line) }
    : { kind: 'unread', parse: () => command.parse(line) }
}

function readAlready(ask: string, { isFree = never, onlyTells = never }: Partial<Leniency<string>> = {}) {
  return { reading: { kind: 'read', ask }, leniency: { isFree, onlyTells } } as const
}

/** To be asked once, of whoever was counted. */
function whatIsAsked<Ask>(reading: Reading<Ask>): Ask {
  return reading.kind === 'read' ? reading.ask : reading.parse()
}

function isFree<Ask>(reading: Reading<Ask>, leniency: Leniency<Ask>): boolean {
  return reading.kind === 'read' && leniency.isFree(reading.ask)
}

/** It comes in for longer when Bellhop is busy. */
function isLenient<Ask>(reading: Reading<Ask>, leniency: Leniency<Ask>): boolean {
  return isFree(reading, leniency) || (reading.kind === 'read' && leniency.onlyTells(reading.ask))
}

/** Notes a line that is too long, and says so. */
function notRead(asked: Topic, length: number): string {
  const request = requestNow()
  if (request !== undefined) {
    request.asked = aboutOf[asked]
    request.outcome = 'user-error'
  }
  return tooLong(length)
}

/** What is asked, by whom and from where, and how it is turned down. */
interface Entering<Ask> {
  readonly asked: Topic
  readonly sent: Sent
  readonly reading: Reading<Ask>
  readonly leniency: Leniency<Ask>
  /** What the request is known by: the same one again is not let in, unless it only tells. */
  readonly known?: readonly string[]
  /** Turns it down each time; else they are told privately, and not each time. */
  readonly refuse?: (sentence: string) => Promise<void>
  /** What settles it comes before a failure is told. */
  readonly onSettled?: () => Promise<void>
}

type Listen<Ask> = (asking: Asking, ask: Ask) => Promise<void>

/** The way in of what is acked already, and may come while too much is under way. Never rejects. */
async function comeIn<Ask>(room: GuardRoom, entering: Entering<Ask>, listen: Listen<Ask>): Promise<void> {
  const { asked, sent, reading, leniency } = entering
  const busy = room.gate.busy(asked, isLenient(reading, leniency))
  if (busy !== undefined) return room.gate.tell(presumedPlace(sent), busy)
  await enter(room, entering, listen)
}

/**
 * Whose it is, gate, who sent it, once, listener: failures are told on the way, wherever they happen. Strangers are told
 * that they are, and get no further; nor does whoever asks too fast, or asks where the bot is not installed. Never
 * rejects.
 */
async function enter<Ask>(room: GuardRoom, entering: Entering<Ask>, listen: Listen<Ask>): Promise<void> {
  const { owners, personOf, delivery } = room
  const { asked, sent, reading, leniency, known, refuse, onSettled } = entering
  let place = presumedPlace(sent)

  async function goIn(): Promise<void> {
    const installation = await owners.ofRequest(sent.addressed)
    if (installation === undefined) return turnAway(room, entering)
    const here = { ...sent.spot, workspaceId: workspaceIdOf(installation) }
    place = here
    const request = requestNow()
    // What the payload names may be the sender's own, in a shared channel.
    if (request !== undefined) request.workspace = here.workspaceId
    const sender = await admit(room, {
      ...{ asked, place: here, isFree: isFree(reading, leniency) },
      async turnDown({ sentence, isToBeTold }) {
        if (refuse !== undefined) return refuse(sentence)
        if (isToBeTold) await delivery.privately(here, say(sentence))
      },
      who: async () => ({ asker: await personOf(installation, sent.sender), isBot: false }),
    })
    if (sender === undefined) return
    await letListen(room, sender, here, async (asking) => {
      const ask = whatIsAsked(reading)
      if (known !== undefined && !leniency.onlyTells(ask)) await onlyOnce(room.once, asking.asker, known)
      await listen(asking, ask)
    })
  }

  await tellFailures(
    room,
    asked,
    () => place,
    () => goIn().finally(onSettled),
  )
}

/** Somebody at the gate. */
interface Coming {
  readonly asked: Topic
  /** In the installation that it is for. */
  readonly place: Place
  /** It is not held back. */
  readonly isFree: boolean
  turnDown(closed: Closed): Promise<void>
  who(): Promise<Sender>
}

/** `asker`: undefined for somebody of another organisation. */
interface Sender {
  readonly asker: Person | undefined
  readonly isBot: boolean
}

/** The gate, and then who it is; undefined for somebody who was turned down. */
async function admit(room: GuardRoom, coming: Coming): Promise<Sender | undefined> {
  const { asked, isFree, turnDown, who } = coming
  const { workspaceId, userId } = coming.place
  // Before Slack is asked who they are: strangers ask too fast as well.
  const closed = isFree ? undefined : await room.gate.tooFast(asked, { workspaceId, userId })
  if (closed !== undefined) {
    await turnDown(closed)
    return undefined
  }
  const sender = await who()
  const name = requestNow()?.name
  const isOurs = sender.asker !== undefined
  room.log.debug({ name, user: userId, workspace: workspaceId, isOurs }, 'who asks is known')
  return sender
}

/** The listener's turn. Strangers are told that they are. */
function letListen(
  { delivery }: GuardRoom,
  { asker }: Sender,
  place: Place,
  listen: (asking: Asking) => Promise<void>,
): Promise<void> {
  if (asker === undefined) return delivery.privately(place, stranger)
  return listen({ asker, place, answer: (message) => delivery.privately(place, message) })
}

function presumedPlace({ spot, addressed }: Sent): Place {
  return { ...spot, workspaceId: presumedIdOf(addressed) }
}

/**
 * Answers somebody in a workspace where the bot has no token: taken out, or added by Slack's own button, which gives it
 * none. What can be answered without one is their own request, over its response_url or in the form it came from. Silent
 * where there is no way to answer, and for whoever asks too fast.
 */
async function turnAway<Ask>(
  { gate, outbound, installUrl, log }: GuardRoom,
  { asked, sent: { addressed, sender, spot }, refuse }: Entering<Ask>,
): Promise<void> {
  const workspaceId = presumedIdOf(addressed)
  if ((await gate.tooFast(asked, { workspaceId, userId: sender.userId })) !== undefined) return
  if (refuse !== undefined) return refuse(notInstalledSentence(installUrl))
  if (spot.responseUrl === undefined) return
  try {
    // This needs no token of theirs, and none of another workspace is used.
    await outbound.in(workspaceId).respond(spot.responseUrl, renderNotInstalled(installUrl), { to: 'asker' })
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    log.warn({ err: error }, 'somebody could not be told that the bot is not installed')
  }
}
