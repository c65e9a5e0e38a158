// Delivers answers to a place, a conversation or thread of Slack's: by channel, response URL or direct message. A place
// can be stored.
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { SlackError, unlessSlackFails } from '../client.ts'
import { type SlackUser, slackId } from '../person.ts'
import type { Message, Posted } from './message.ts'
import type { Outbound } from './outbound.ts'

/** A place as stored in JSON, without the person, whom `placeFrom` puts in again. */
export const keptPlaceSchema = z.object({
  /** Undefined without a conversation, as in a modal that a global shortcut opened. */
  channelId: slackId.optional(),
  responseUrl: z.string().optional(),
  /** True in a direct message, or in a group message that Slack names as such: nobody can be invited there. */
  isDirect: z.boolean(),
  /** The `ts` of the message whose button was pressed. */
  pressedTs: slackId.optional(),
  /** The `ts` of the thread's parent: a request in a thread is answered there. */
  threadTs: slackId.optional(),
  /** True while the thread has no replies: Slack then shows no private message there. */
  isThreadNew: z.boolean().optional(),
})

export type KeptPlace = Readonly<z.infer<typeof keptPlaceSchema>>

export type Place = KeptPlace & Pick<SlackUser, 'userId'>

export function keptPlace({ userId: _, ...kept }: Place): KeptPlace {
  return kept
}

export function placeFrom(kept: KeptPlace, { userId }: SlackUser): Place {
  return { ...kept, userId }
}

/** An answer in two messages, a card and its history in a thread; or in one message if there is no thread. */
export interface CardMessages {
  card(isPrivate: boolean): Message
  /** Undefined when the card says everything. */
  readonly history?: () => Message
  /** @param how.wantsThread - True in a channel, where the history would normally go into a thread. */
  inOneMessage(how: { readonly isPrivate: boolean; readonly wantsThread: boolean }): Message
}

export interface Delivered {
  readonly isPrivate: boolean
  /** The card, with the history in its thread. Undefined when both went as one message. */
  readonly posted: Posted | undefined
  /** False when Slack did not confirm the history. */
  readonly isHistoryTold: boolean
}

type Attempt = () => Promise<Delivered>

/** @param isOnce - Tries the next way only if the message was certainly not posted, so that none appears twice. */
async function firstThatWorks(ways: readonly Attempt[], isOnce = false): Promise<Delivered> {
  let why: unknown
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      if (!(error instanceof SlackError) || (isOnce && error.mayBeDone)) throw error
      why = error
    }
  }
  throw why
}

/** True when a failed share can be retried without appearing twice. */
export function isCertainlyNotShared(error: unknown): boolean {
  return error instanceof UserError || (error instanceof SlackError && !error.mayBeDone)
}

/** A message without a history, sent by the same ways as a card: with or without a thread, it is the same. */
function alone(message: Message): CardMessages {
  return { card: () => message, inOneMessage: () => message }
}

export function createDelivery(slack: Pick<Outbound, 'post' | 'whisper' | 'respond'>) {
  async function inThread(
    channelId: string,
    story: CardMessages,
    isPrivate: boolean,
    threadTs?: string,
  ) {
    const posted = await slack.post(channelId, story.card(isPrivate), threadTs)
    const history = story.history?.()
    const told = history && slack.post(posted.channelId, history, threadTs ?? posted.ts)
    const isHistoryTold = told === undefined || (await unlessSlackFails(told)) !== undefined
    return { isPrivate, isHistoryTold, posted }
  }

  function toChannel(
    { channelId, responseUrl, isDirect, threadTs }: Place,
    story: CardMessages,
  ): readonly Attempt[] {
    const ways: Attempt[] = []
    if (channelId !== undefined) ways.push(() => inThread(channelId, story, false, threadTs))
    if (responseUrl !== undefined)
      ways.push(async () => {
        // In a thread, the history already is where it belongs.
        const wantsThread = !isDirect && threadTs === undefined
        const message = story.inOneMessage({ isPrivate: false, wantsThread })
        await slack.respond(responseUrl, message, { to: 'channel', threadTs })
        return { isPrivate: false, ...inOne }
      })
    return ways
  }

  /** Ways to tell the asker alone: where they asked; failing that, in their direct message with the bot. */
  function toAsker(place: Place, story: CardMessages, replaces = false): readonly Attempt[] {
    const { channelId, userId, responseUrl, isDirect, threadTs, isThreadNew } = place
    const thread = isThreadNew ? undefined : threadTs
    // In a thread, a whisper (a message that one person sees) is tried first: a response URL would put it at the bottom of
    // the channel. The URL is next if the whisper fails, even if it may have arrived: better said twice than not at all.
    const isWhispered = responseUrl === undefined || (thread !== undefined && !replaces)
    const ways: ((message: Message) => Promise<void>)[] = []
    if (channelId !== undefined && !isDirect && isWhispered)
      ways.push((message) => slack.whisper(channelId, userId, message, thread))
    if (responseUrl !== undefined)
      ways.push((message) => slack.respond(responseUrl, message, { to: 'asker', replaces }))
    // Direct messages go to the person's id; or, when they wrote to the bot directly, to where they wrote.
    const isThere = isDirect && responseUrl === undefined && channelId !== undefined
    const home = isThere ? { id: channelId, threadTs } : { id: userId }
    return [
      ...ways.map((send) => async () => {
        await send(story.inOneMessage({ isPrivate: true, wantsThread: false }))
        return { isPrivate: true, ...inOne }
      }),
      () => inThread(home.id, story, true, home.threadTs),
    ]
  }

  /** Shares a private story in a channel. @throws UserError when the bot has to be invited there first. */
  async function share(place: Place, channelId: string, story: CardMessages): Promise<Delivered> {
    // A button's response_url leads to where the button is, which may be another conversation.
    const isThere = place.channelId === channelId
    const there = { ...place, channelId, isDirect: false }
    const ways = toChannel(
      isThere ? there : { ...there, responseUrl: undefined, threadTs: undefined },
      story,
    )
    return firstThatWorks(ways, true).catch((error: unknown) => {
      if (!(error instanceof SlackError && error.isInviteNeeded)) throw error
      throw new UserError(
        'Bellhop can’t post in that channel. Invite it there with /invite @Bellhop, then share again.',
      )
    })
  }

  return {
    share,
    async announce(place: Place, channelId: string, message: Message) {
      await share(place, channelId, alone(message))
    },
    /** Tries each way until one works; the asker's private ways come last. @throws When none works. */
    tell(place: Place, story: CardMessages, to: 'channel' | 'asker'): Promise<Delivered> {
      const first = to === 'channel' ? toChannel(place, story) : []
      return firstThatWorks([...first, ...toAsker(place, story)])
    },
    /** One message that only the asker sees. @param how.replaces - Replaces the message whose button was pressed. */
    async privately(place: Place, message: Message, { replaces } = { replaces: false }) {
      await firstThatWorks(toAsker(place, alone(message), replaces))
    },
  }
}

const inOne = { posted: undefined, isHistoryTold: true } as const
