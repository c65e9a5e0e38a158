// Requests, as listeners get them of the guard, read from the several ways in which Slack names who asks, where, and what they
// filled in. And claims: what is asked once is taken once.
import type * as bolt from '@slack/bolt'
import type { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { House } from '../../house.ts'
import { parseJson } from '../../http/http.ts'
import { whenKept } from '../../log/log.ts'
import { inTime } from '../../work/under-way.ts'
import { unlessSlackFails } from '../client.ts'
import type { Place } from '../outbound/delivery.ts'
import type { Message, Posted, View } from '../outbound/message.ts'
import { isDirectId, type Person } from '../person.ts'

export interface From {
  readonly asker: Person
  readonly place: Place
}

export interface Asking extends From {
  answer(message: Message): Promise<void>
  /** It goes on elsewhere: failures are told there from now on. */
  moveTo(place: Place): From
}

export interface Interaction extends Asking {
  readonly triggerId: string
}

export interface CommandRequest extends Asking {
  /** Slack's own id of it: the same when it is delivered twice. */
  readonly id: string
  /** Opens modals; undefined when it was written to the bot, which Slack gives no trigger for. */
  readonly triggerId: string | undefined
}

export interface ActionRequest extends Interaction {
  /** The button's value; looked up, never believed. */
  readonly value: string
  /** The view the button is in, when it is in one, as it was then. */
  readonly view: bolt.ViewOutput | undefined
}

/** A global one comes from no conversation. From the menu of a message, it is answered in that message's thread. */
export interface ShortcutRequest extends Interaction {
  /** As Slack gives it; empty where there is none. */
  readonly message: Readonly<Record<string, unknown>>
}

/** Somebody types into a menu that suggests; no more is asked than what it should suggest. */
export interface Typing {
  readonly asker: Person
  /** So far; `''` where the menu was only opened. Raw and trimmed, cut where it is too long; never logged. */
  readonly typed: string
  /** Of the form that it stands in; `''` elsewhere. */
  readonly privateMetadata: string
}

export interface Submission extends Interaction {
  readonly viewId: string
  readonly privateMetadata: string
  readonly filled: Filled
  /** Claims this very submission, for work that begins before the ack: rejects with `Replayed` when it was claimed before. */
  claim(): Promise<void>
  /** Says at its inputs what is wrong, and does nothing, so that it may come twice. @param errors - Plain, by block id. */
  correct(errors: Readonly<Record<string, string>>): Promise<void>
  /** Closes the modal, or shows another in its place; once, before anything slow. Then claims it, and rejects likewise. */
  ack(view?: View): Promise<void>
  /** Claims it, works, and closes the modal once that is kept. What the work throws before is said in the form. */
  ackOnceKept(work: () => Promise<void>): Promise<void>
}

/** Slack waits three seconds, however long a commit takes. */
const keptWithinMs = 1_000

/**
 * Acks what writes once it is kept, so that Slack says when it got lost before; after a second in any case.
 * @throws What the work throws; it is not acked where that fails before.
 */
export async function ackOnceKept(ack: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  const kept = whenKept()
  const done = work()
  await inTime(Promise.race([kept, done]), keptWithinMs)
  await ack().finally(() => done)
}

/** With neither a channel nor a response URL, no way leads there. */
type ChosenConversation = Pick<Place, 'channelId' | 'responseUrl' | 'isDirect'>

type Values = bolt.ViewOutput['state']['values']
type ChosenUrl = NonNullable<bolt.ViewSubmitAction['response_urls']>[number]

export type Filled = ReturnType<typeof readInputs>

/** Reads a form by the ids of its inputs' blocks; one that it does not have is empty. @param urls - Of chosen conversations. */
export function readInputs(values: Values, urls: readonly ChosenUrl[] = []) {
  const stateOf = (input: string) => Object.values((Object.hasOwn(values, input) && values[input]) || {})[0]
  return {
    inputs: Object.keys(values),
    /** Trimmed. */
    text: (input: string) => (stateOf(input)?.value ?? '').trim(),
    choice: (input: string): string | undefined => stateOf(input)?.selected_option?.value,
    choices: (input: string) => (stateOf(input)?.selected_options ?? []).map(({ value }) => value),
    conversation(input: string): ChosenConversation | undefined {
      const id = stateOf(input)?.selected_conversation
      const url = urls.find((one) => one.block_id === input)
      return id ? conversationOf(id, url) : undefined
    },
  }
}

/**
 * Of a direct message, Slack names the other person, and what is posted to a person stands in their own direct message
 * with the bot: nothing may ever be sent to that id.
 * Source: docs.slack.dev/reference/block-kit/block-elements (conversations list), and states as Slack has sent them.
 */
function conversationOf(id: string, url: ChosenUrl | undefined): ChosenConversation {
  if (!isPerson(id)) {
    const responseUrl = url?.channel_id === id ? url.response_url : undefined
    return { channelId: id, responseUrl, isDirect: isDirectId(id) }
  }
  const channelId = url === undefined || isPerson(url.channel_id) ? undefined : url.channel_id
  return { channelId, responseUrl: url?.response_url, isDirect: true }
}

const isPerson = (id: string) => /^[UW]/.test(id)

export const otherVersion = 'This form is from another version of Bellhop. Close it and open it again.'

/** Slack keeps 3,000. A button's value takes 2,000, and ids of it stand in one. */
const longestMemory = 2_000

/** Reads what a modal was to remember. @throws UserError when it is not what this version has written. */
export function readPrivateMetadata<T>(schema: z.ZodType<T>, privateMetadata: string): T {
  const read = schema.safeParse(parseJson(privateMetadata))
  if (read.success && privateMetadata.length <= longestMemory) return read.data
  throw new UserError(otherVersion)
}

/** As the payload of their request names them. */
export interface Sender {
  readonly place: Place
  readonly handle?: string | undefined
  readonly teamId?: string | undefined
}

type Shortcut = bolt.GlobalShortcut | bolt.MessageShortcut
type Payload = bolt.BlockAction | bolt.BlockSuggestion | Shortcut | bolt.ViewSubmitAction

export function sentBy(payload: Payload): Sender {
  const { user } = payload
  return {
    place: { userId: user.id, isDirect: false, ...whereIn(payload) },
    handle: ('username' in user && user.username) || ('name' in user && user.name) || undefined,
    teamId: user.team_id,
  }
}

/** A command goes to the sender's own workspace. */
export function sentAsCommand(command: bolt.SlashCommand): Sender {
  const { team_id: teamId, response_url: responseUrl } = command
  const channel = { id: command.channel_id, name: command.channel_name }
  return {
    place: { userId: command.user_id, responseUrl, ...conversationAt(channel) },
    handle: command.user_name,
    teamId,
  }
}

function conversationAt(channel: { readonly id: string; readonly name: string | null } | undefined) {
  const { id, name } = channel ?? { id: '', name: '' }
  const isDirect = isDirectId(id) || name?.startsWith('mpdm-') === true
  return { channelId: channel?.id, isDirect }
}

/** The conversation of a press, or of the message in whose menu a shortcut was chosen: what is answered goes there. */
function whereIn(payload: Payload): Partial<Place> {
  switch (payload.type) {
    case 'block_actions': {
      const { channel, container, response_url: responseUrl } = payload
      const pressedTs: string | undefined = container.message_ts
      const threadTs: string | undefined = container.thread_ts
      // A message that has replies names itself.
      const thread = threadTs === pressedTs ? undefined : threadTs
      return { ...conversationAt(channel), responseUrl, pressedTs, threadTs: thread }
    }
    case 'message_action': {
      const { channel, message, response_url: responseUrl } = payload
      const { thread_ts: threadTs, ts } = message
      const isThreadNew = threadTs === undefined
      return { ...conversationAt(channel), responseUrl, threadTs: threadTs ?? ts, isThreadNew }
    }
    case 'block_suggestion':
      return conversationAt(payload.channel)
    default:
      return {}
  }
}

/** Payloads carry a handle. Nobody waits longer than this for the name that their colleagues know them by. */
const nameWaitMs = 500

/**
 * Tells the installation's people from others who send something, and what they are called. Whoever is of its workspace
 * does not wait long for it. Undefined when they belong to another organisation. @throws SlackError where that is not
 * known.
 */
export async function personOf({ slack }: House, { place, handle, teamId }: Sender) {
  const { userId, channelId } = place
  const { workspaceId, teamId: ownTeamId } = await slack.learned()
  const isOurs = teamId === ownTeamId
  const asked = slack.people.writerOf(userId)
  // Nobody of another organisation gets to a view, or to the menu of global shortcuts.
  const isSoon = isOurs || channelId === undefined
  const writer = isSoon ? await unlessSlackFails(inTime(asked, nameWaitMs)) : await asked
  if (!isOurs && writer?.isStranger) return undefined
  const name = writer === undefined || writer.shownName === userId ? handle : writer.shownName
  return { workspaceId, userId, name: name ?? userId, handle: handle ?? writer?.handle }
}

/** Thrown where a listener must not go on: the same request came once more. Told to nobody. */
export class Replayed extends Error {
  override readonly name = 'Replayed'
}

/** Far longer than a signature is taken for a fresh one: five minutes. */
export const replayMs = 60 * 60_000

/**
 * Claims a request. Slack sends what people do once; whoever sends it again has caught its bytes, or a proxy did.
 * @param id - Slack gives each press, command and submission a trigger of its own.
 * @throws Replayed when it was claimed before, in whichever process.
 */
export async function refuseIfReplayed({ storage }: House, workspaceId: string, id: string): Promise<void> {
  if (!(await storage.once.claim(workspaceId, `request ${id}`, replayMs))) throw new Replayed()
}

export const saidId = ({ channelId, ts }: Posted) => `said ${channelId} ${ts}`

export function wasSaid({ storage }: House, workspaceId: string, message: Posted): Promise<boolean> {
  return storage.once.isClaimed(workspaceId, `request ${saidId(message)}`)
}
