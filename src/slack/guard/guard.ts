// Guard before every listener: the one way in for whatever Slack sends. It must not know alerts or grants.
//
//   kind              steps, in this order, once its payload is read
//   command           busy · ack · whose · charge · who · once* · listener
//   press             ack · busy · whose · charge · who · once* · listener
//   message shortcut  ack · busy · whose · charge · who · once · listener
//   global shortcut   ack · busy · whose · charge · who · listener
//   submission        busy · whose · charge · who · listener, which acks, and `once` with that
//   mention           whose · busy · charge · who · once · listener
//   other event       whose · listener
//
//   busy     as much is under way as this process takes: the request is turned down
//   whose    finds the installation that it is for; where there is none, whoever sent it is turned away
//   charge   counts it against its sender's limit, unless it takes something back or away, or is tried again
//   who      finds out who sent it; strangers get no further
//   once     refuses a request that came before; * not what is read-only, which may come twice
//
// A failure from `whose` on is told to whoever sent it (`tellFailures`). Events are acked by Bolt: one that fails is
// tried again, and given up in the log, without a word to anybody (`createEventGuard`); a mention tells from its
// listener on. Listeners of other events ask the gate themselves, with `chargeSilently`, and find out who it was.
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
import type { TurnedDown } from '../gate/gate.ts'
import {
  justStarting,
  keepModal,
  notInstalledSentence,
  renderNotInstalled,
  stranger,
  tooLongSentence,
} from '../gate/not-begun.ts'
import type { Person } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { aboutOf, type Topic } from '../request-topics.ts'
import { longestFree } from '../text/typed.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { createEventGuard } from './event-guard.ts'
import { presumedWorkspaceId } from './installation-finder.ts'
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
import { OddInput, readInputs } from './submitted-form.ts'
import { tellFailures } from './tell-failures.ts'
import {
  isDirectOrGroup,
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
        const busy = gate.turnDownIfBusy(topic, isPreferred(reading, command))
        if (busy !== undefined) return ack(busy)
        await ack()
        const id = knownBy(sent)
        const known = [id, sent.command]
        const entering = { topic, sent: sentAsCommand(sent), reading, leniency: command, known }
        await enter(room, entering, (asking, ask) =>
          command.run({ ...asking, triggerId: triggerId || undefined, id, text }, ask),
        )
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
        await enterUnlessBusy(room, { topic, sent, ...readAlready(value, how), known }, (asking) =>
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
        topic: Topic,
        listener: (request: Request) => Promise<void>,
      ): Middleware<SlackShortcutMiddlewareArgs> =>
      async ({ ack, body }) => {
        const used = shortcutPayload.parse(body)
        await ack()
        await enterUnlessBusy(room, { topic, sent: sentFromNowhere(used), ...readAlready('') }, (asking) =>
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
        await enterUnlessBusy(
          room,
          { topic, sent: sentBy(used, spot), ...readAlready(''), known },
          (asking) => listener({ ...asking, triggerId: used.trigger_id, message }),
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
        const { reading, leniency } = readAlready(view.private_metadata, how)
        const busy = gate.turnDownIfBusy(topic, isPreferred(reading, leniency))
        if (busy !== undefined) return refuse(busy)
        // Slack has not said yet who the bot is: `whose` would wait for that, and Slack waits three seconds for the ack.
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
        const isOwnDirect = message.data.channel_type === 'im'
        // An app may be told of every message in a channel; only those that name the bot are for it.
        if (type === 'message' && !isOwnDirect) return
        if (!(await room.scopes.in(workspaceId).isOn(isOwnDirect ? 'directWords' : 'mentions'))) return
        // A mention does not say that it stands in a group message: there it is taken for one in a channel.
        const where = { channelId, responseUrl: undefined, isDirect: isOwnDirect, threadTs }
        const place: Place = { workspaceId, userId, ...where }
        const [text, length] = 'text' in line ? [line.text, line.text.length] : ['', line.tooLong]
        const topic = topicOf(text)
        const reading = readLine(command, { text, botUserId }, length)
        const busy = gate.turnDownIfBusy(topic, isPreferred(reading, command), 1)
        if (busy !== undefined) return gate.tell(place, busy)
        const sender = await chargeAndIdentify(room, {
          ...{ topic, place, isUnlimited: isUnlimited(reading, command) || isAgain },
          turnDown: async ({ sentence, isToBeTold }) => (isToBeTold ? gate.tell(place, sentence) : undefined),
          async identify() {
            const { name, handle, isBot, isStranger } = await room.people.in(workspaceId).writerOf(userId)
            return { asker: isStranger ? undefined : { workspaceId, userId, name, handle }, isBot }
          },
        })
        if (sender === undefined || sender.isBot) return
        if (!(await room.once.claim(workspaceId, `said ${channelId} ${ts}`))) return
        // From here on a failure is told, and the event is not tried again.
        await tellFailures(room, topic, place, () =>
          listenUnlessStranger(room, sender, place, async (asking) => {
            if ('tooLong' in line) throw new UserError(tooLongSentence(line.tooLong))
            await command.run({ ...asking, id: `${channelId} ${ts}` }, whatIsAsked(reading))
          }),
        )
      }),

    /** Runs work whose failures are told somewhere else than where the request came from. */
    at: (topic: Topic, place: Place, work: () => Promise<void>): Promise<void> =>
      tellFailures(room, topic, place, work),
  }
}

/** Of what takes something away whatever its value. */
export const always = () => true
const never = () => false

/** What is asked: read already, or a long line, which is parsed when its sender has been charged. */
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

function readAlready(
  ask: string,
  { isUnlimited = never, isReadOnly = never }: Partial<Leniency<string>> = {},
) {
  return { reading: { kind: 'read', ask }, leniency: { isUnlimited, isReadOnly } } as const
}

/** To be called once, when the sender has been charged. */
function whatIsAsked<Ask>(reading: Reading<Ask>): Ask {
  return reading.kind === 'read' ? reading.ask : reading.parse()
}

function isUnlimited<Ask>(reading: Reading<Ask>, leniency: Leniency<Ask>): boolean {
  return reading.kind === 'read' && leniency.isUnlimited(reading.ask)
}

/** Whether it comes in for longer when Bellhop is busy. */
function isPreferred<Ask>(reading: Reading<Ask>, leniency: Leniency<Ask>): boolean {
  return isUnlimited(reading, leniency) || (reading.kind === 'read' && leniency.isReadOnly(reading.ask))
}

/** Notes a line that is too long, and says so. */
function notRead(topic: Topic, length: number): string {
  const request = requestNow()
  if (request !== undefined) {
    request.about = aboutOf[topic]
    request.outcome = 'user-error'
  }
  return tooLongSentence(length)
}

/** A request before its steps: what is asked, by whom and from where, and how it is turned down. */
interface Entering<Ask> {
  readonly topic: Topic
  readonly sent: Sent
  readonly reading: Reading<Ask>
  readonly leniency: Leniency<Ask>
  /** What the request is known by: the same one again is refused, unless it is read-only. Without it, none is. */
  readonly known?: readonly string[]
  /** Turns it down in the form, each time; without it they are told privately, and not each time. */
  readonly refuse?: (sentence: string) => Promise<void>
  /** Acks when nobody has, before a failure is told. */
  readonly ackAtLast?: () => Promise<void>
}

type Listen<Ask> = (asking: Asking, ask: Ask) => Promise<void>

/** Lets in what is acked already, unless too much is under way: that is told. Never rejects. */
async function enterUnlessBusy<Ask>(
  room: GuardRoom,
  entering: Entering<Ask>,
  listen: Listen<Ask>,
): Promise<void> {
  const { topic, sent, reading, leniency } = entering
  const busy = room.gate.turnDownIfBusy(topic, isPreferred(reading, leniency))
  if (busy !== undefined) return room.gate.tell(presumedPlace(sent), busy)
  await enter(room, entering, listen)
}

/**
 * Takes the steps from `whose` to the listener: failures are told, wherever on the way they happen. Strangers are told
 * that they are, and get no further; nor does whoever asks too fast, or asks where the bot is not installed. Never
 * rejects.
 */
async function enter<Ask>(room: GuardRoom, entering: Entering<Ask>, listen: Listen<Ask>): Promise<void> {
  const { installations, personOf, delivery } = room
  const { topic, sent, reading, leniency, known, refuse, ackAtLast } = entering
  let place = presumedPlace(sent)

  async function takeSteps(): Promise<void> {
    const installation = await installations.forRequest(sent.addressed)
    if (installation === undefined) return turnAway(room, entering)
    const here = { ...sent.spot, workspaceId: workspaceIdOf(installation) }
    place = here
    const request = requestNow()
    // What the payload names may be the sender's own, in a shared channel.
    if (request !== undefined) request.workspace = here.workspaceId
    const sender = await chargeAndIdentify(room, {
      ...{ topic, place: here, isUnlimited: isUnlimited(reading, leniency) },
      async turnDown({ sentence, isToBeTold }) {
        if (refuse !== undefined) return refuse(sentence)
        if (isToBeTold) await delivery.privately(here, say(sentence))
      },
      identify: async () => ({ asker: await personOf(installation, sent.sender), isBot: false }),
    })
    if (sender === undefined) return
    await listenUnlessStranger(room, sender, here, async (asking) => {
      const ask = whatIsAsked(reading)
      if (known !== undefined && !leniency.isReadOnly(ask))
        await refuseIfReplayed(room.once, asking.asker, known)
      await listen(asking, ask)
    })
  }

  await tellFailures(
    room,
    topic,
    () => place,
    () => takeSteps().finally(ackAtLast),
  )
}

/** Somebody who is to be charged, and is not known yet. */
interface Arrival {
  readonly topic: Topic
  /** In the installation that it is for. */
  readonly place: Place
  /** They are not charged. */
  readonly isUnlimited: boolean
  turnDown(turnedDown: TurnedDown): Promise<void>
  identify(): Promise<Identified>
}

/** `asker`: undefined for a stranger, somebody of another organisation. */
interface Identified {
  readonly asker: Person | undefined
  readonly isBot: boolean
}

/** Charges them, and finds out who they are: strangers, too. Undefined for somebody who was turned down. */
async function chargeAndIdentify(room: GuardRoom, arrival: Arrival): Promise<Identified | undefined> {
  const { topic, isUnlimited, turnDown, identify } = arrival
  const { workspaceId, userId } = arrival.place
  // Before Slack is asked who they are: strangers ask too fast as well.
  const turnedDown = isUnlimited ? undefined : await room.gate.charge(topic, { workspaceId, userId })
  if (turnedDown !== undefined) {
    await turnDown(turnedDown)
    return undefined
  }
  const sender = await identify()
  const name = requestNow()?.name
  const isOurs = sender.asker !== undefined
  room.log.debug({ name, user: userId, workspace: workspaceId, isOurs }, 'who asks is known')
  return sender
}

/** Has the listener listen to whoever is no stranger. Strangers are told that they are. */
function listenUnlessStranger(
  { delivery }: GuardRoom,
  { asker }: Identified,
  place: Place,
  listen: (asking: Asking) => Promise<void>,
): Promise<void> {
  if (asker === undefined) return delivery.privately(place, stranger)
  return listen({ asker, place, answer: (message) => delivery.privately(place, message) })
}

function presumedPlace({ spot, addressed }: Sent): Place {
  return { ...spot, workspaceId: presumedWorkspaceId(addressed) }
}

/**
 * Answers somebody in a workspace where the bot has no token: taken out, or added by Slack's own button, which gives it
 * none. What can be answered without one is their own request, over its response_url or in the form it came from. Silent
 * where there is no way to answer, and for whoever asks too fast.
 */
async function turnAway<Ask>(
  { gate, outbound, installUrl, log }: GuardRoom,
  { topic, sent: { addressed, sender, spot }, refuse }: Entering<Ask>,
): Promise<void> {
  const workspaceId = presumedWorkspaceId(addressed)
  if ((await gate.charge(topic, { workspaceId, userId: sender.userId })) !== undefined) return
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
