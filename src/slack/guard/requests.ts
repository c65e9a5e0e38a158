// Requests, as listeners get them: who asks, where, and what they filled in. And claims: each request is taken once.

import type * as bolt from '@slack/bolt'
import type { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { House } from '../../house.ts'
import { parseJson } from '../../http/http.ts'
import { whenKept } from '../../log/log.ts'
import { hourMs } from '../../work/durations.ts'
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
  /** Continues elsewhere: answers and failures go there from now on. */
  moveTo(place: Place): From
}

export interface Interaction extends Asking {
  readonly triggerId: string
}

export interface CommandRequest extends Asking {
  /** Stays the same when Slack delivers the request twice. */
  readonly id: string
  /** Opens modals. Undefined for a message to the bot, for which Slack gives no trigger. */
  readonly triggerId: string | undefined
}

export interface ActionRequest extends Interaction {
  /** The button's value: look it up, never trust it. */
  readonly value: string
  /** The button's view, as it was at the press. */
  readonly view: bolt.ViewOutput | undefined
}

/** A request with the button's value, if a button was pressed. */
export type MaybePressed = From & Partial<Pick<ActionRequest, 'value'>>

/** A global shortcut has no conversation. One in a message's menu is answered in that message's thread. */
export interface ShortcutRequest extends Interaction {
  /** Slack's message; empty for a global shortcut. */
  readonly message: Readonly<Record<string, unknown>>
}

/** Somebody types into a menu that suggests. */
export interface Typing {
  readonly asker: Person
  /** Raw, trimmed and cut; `''` when the menu was only opened. Never logged. */
  readonly typed: string
  /** The form's `private_metadata`; `''` outside a form. */
  readonly privateMetadata: string
}

export interface Submission extends Interaction {
  readonly viewId: string
  readonly privateMetadata: string
  readonly filled: Filled
  /** Claims this submission, for work that begins before the ack. @throws Replayed when it was claimed before. */
  claim(): Promise<void>
  /** Shows errors at inputs; claims nothing, so it may come twice. @param errors - Plain text by block id. */
  correct(errors: Readonly<Record<string, string>>): Promise<void>
  /** Closes the modal or shows another in its place, before anything slow; then claims the submission. @throws Replayed */
  ack(view?: View): Promise<void>
  /**
   * Claims the submission, does the work, and closes the modal once the work has stored the request. If the work throws
   * before that, the form stays and shows why.
   */
  ackOnceKept(work: () => Promise<void>): Promise<void>
}

/** Longest wait for a commit before an ack, as Slack waits three seconds for the ack. */
const keptWithinMs = 1_000

/**
 * Acks a write once it is stored, or after a second, so that Slack reports a write that got lost before.
 * @throws What the work throws; if that is before the ack is due, nothing is acked.
 */
export async function ackOnceKept(
  ack: () => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  const kept = whenKept()
  const done = work()
  await inTime(Promise.race([kept, done]), keptWithinMs)
  await ack().finally(() => done)
}

/** The conversation chosen in a form. Without a channel and a response URL, it can't be reached. */
type ChosenConversation = Pick<Place, 'channelId' | 'responseUrl' | 'isDirect'>

type Values = bolt.ViewOutput['state']['values']
type ChosenUrl = NonNullable<bolt.ViewSubmitAction['response_urls']>[number]

export type Filled = ReturnType<typeof readInputs>

/**
 * Reads a form by its inputs' block ids; inputs that it lacks are empty.
 * @param urls - Response URLs of chosen conversations.
 */
export function readInputs(values: Values, urls: readonly ChosenUrl[] = []) {
  const stateOf = (input: string) =>
    Object.values((Object.hasOwn(values, input) && values[input]) || {})[0]
  return {
    inputs: Object.keys(values),
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
 * The conversation behind a chosen id. Slack names a direct message by the other person's id, which is never returned as
 * a channel: a post to it would go to that person's own direct message with the bot.
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

export const otherVersion =
  'This form is from another version of Bellhop. Close it and open it again.'

/** Slack takes 3,000 characters in a view, but only 2,000 in a button's value, to which ids are copied from it. */
const longestMemory = 2_000

/** @throws UserError for metadata that this version has not written. */
export function readPrivateMetadata<T>(schema: z.ZodType<T>, privateMetadata: string): T {
  const read = schema.safeParse(parseJson(privateMetadata))
  if (read.success && privateMetadata.length <= longestMemory) return read.data
  throw new UserError(otherVersion)
}

/** The asker, as the payload names them. */
export interface Sender {
  readonly place: Place
  readonly handle?: string | undefined
  readonly teamId?: string | undefined
}

type Payload = bolt.BlockAction | bolt.BlockSuggestion | bolt.SlackShortcut | bolt.ViewSubmitAction

export function sentBy(payload: Payload): Sender {
  const { user } = payload
  return {
    place: { userId: user.id, isDirect: false, ...whereIn(payload) },
    handle: ('username' in user && user.username) || ('name' in user && user.name) || undefined,
    teamId: user.team_id,
  }
}

export function sentAsCommand(command: bolt.SlashCommand): Sender {
  const channel = { id: command.channel_id, name: command.channel_name }
  return {
    place: {
      userId: command.user_id,
      responseUrl: command.response_url,
      ...conversationAt(channel),
    },
    handle: command.user_name,
    teamId: command.team_id,
  }
}

function conversationAt(
  channel: { readonly id: string; readonly name: string | null } | undefined,
) {
  const isGroup = channel?.name?.startsWith('mpdm-') === true
  return { channelId: channel?.id, isDirect: isGroup || isDirectId(channel?.id ?? '') }
}

/** The place of the answer to a press or a shortcut. */
function whereIn(payload: Payload): Partial<Place> {
  switch (payload.type) {
    case 'block_actions': {
      const pressedTs: string | undefined = payload.container.message_ts
      const threadTs: string | undefined = payload.container.thread_ts
      return {
        ...conversationAt(payload.channel),
        responseUrl: payload.response_url,
        pressedTs,
        // A thread's parent names itself as its thread.
        threadTs: threadTs === pressedTs ? undefined : threadTs,
      }
    }
    case 'message_action': {
      const { thread_ts: threadTs, ts } = payload.message
      return {
        ...conversationAt(payload.channel),
        responseUrl: payload.response_url,
        threadTs: threadTs ?? ts,
        isThreadNew: threadTs === undefined,
      }
    }
    case 'block_suggestion':
      return conversationAt(payload.channel)
    default:
      return {}
  }
}

/** Longest wait for a person's name: payloads carry a handle, which will do. */
const nameWaitMs = 500

/** The sender with their name; undefined for somebody of another organisation. @throws SlackError when that isn't known. */
export async function personOf({ slack }: House, { place, handle, teamId }: Sender) {
  const { userId, channelId } = place
  const { workspaceId, teamId: ownTeamId } = await slack.learned()
  const isOurs = teamId === ownTeamId
  const asked = slack.people.writerOf(userId)
  // A request without a channel comes from a view or a global shortcut, which other organisations' people can't open.
  const isKnownOurs = isOurs || channelId === undefined
  const writer = isKnownOurs ? await unlessSlackFails(inTime(asked, nameWaitMs)) : await asked
  if (!isOurs && writer?.isStranger) return undefined
  const name = writer === undefined || writer.shownName === userId ? handle : writer.shownName
  return { workspaceId, userId, name: name ?? userId, handle: handle ?? writer?.handle }
}

/** Thrown when the same request comes again. Nobody is told. */
export class Replayed extends Error {
  override readonly name = 'Replayed'
}

/** Far longer than the five minutes for which a signature is accepted. */
export const replayMs = hourMs

/**
 * Claims a request. Slack sends it once; a repeat comes from a proxy, or from somebody who caught its bytes.
 * @param id - Slack gives each press, command and submission a trigger of its own.
 * @throws Replayed when it was claimed before, in any process.
 */
export async function refuseIfReplayed(
  { storage }: House,
  workspaceId: string,
  id: string,
): Promise<void> {
  if (!(await storage.once.claim(workspaceId, `request ${id}`, replayMs))) throw new Replayed()
}

export const saidId = ({ channelId, ts }: Posted) => `said ${channelId} ${ts}`

export function wasSaid(
  { storage }: House,
  workspaceId: string,
  message: Posted,
): Promise<boolean> {
  return storage.once.isClaimed(workspaceId, `request ${saidId(message)}`)
}
