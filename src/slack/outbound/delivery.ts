// Delivers an answer: the place it goes to, the ladder that finds a way there (channel, response URL, direct message), and
// how a place survives a modal or a database.
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { SlackError, unlessSlackFails } from '../client.ts'
import { type SlackUser, slackId } from '../person.ts'
import type { Message, Posted } from './message.ts'
import type { Outbound } from './outbound.ts'

/** A place as it is kept, as JSON. Whoever comes back with it says who they are: that is not kept. */
export const keptPlaceSchema = z.object({
  /** Undefined where there is no conversation, as in a modal opened from nowhere. */
  channelId: slackId.optional(),
  responseUrl: z.string().optional(),
  /** A direct message, or a group's where Slack says that it is one: nobody can be invited there. */
  isDirect: z.boolean(),
  /** The `ts` of the message whose button was pressed, when there was one. */
  pressedTs: slackId.optional(),
  /** The `ts` of the thread's parent, when it was asked in a thread: what is answered stays there. */
  threadTs: slackId.optional(),
  /** True while nobody has replied in that thread: Slack then shows no private message there. */
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

export function nowhere({ userId }: Pick<SlackUser, 'userId'>): Place {
  return { userId, isDirect: false }
}

/** What is told in two messages where there is a thread, and in one where there is not. */
export interface CardMessages {
  card(isPrivate: boolean): Message
  /** Undefined for one message that says all of it. */
  readonly history?: () => Message
  /** @param how.wantsThread - It stands in a channel, where a thread would have the history. */
  inOneMessage(how: { readonly isPrivate: boolean; readonly wantsThread: boolean }): Message
}

export interface Delivered {
  readonly isPrivate: boolean
  /** Where the card stands, with the history in its thread; undefined where both are one message. */
  readonly posted: Posted | undefined
  /** False where Slack did not confirm the history. */
  readonly isHistoryTold: boolean
}

type Attempt = () => Promise<Delivered>

/** @param isOnce - It must not stand twice: the next way is tried only when it certainly does not stand yet. */
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

/** True when a share that failed may be tried again without standing twice. */
export function isCertainlyNotShared(error: unknown): boolean {
  return error instanceof UserError || (error instanceof SlackError && !error.mayBeDone)
}

function alone(message: Message): CardMessages {
  return { card: () => message, inOneMessage: () => message }
}

export function createDelivery(slack: Pick<Outbound, 'post' | 'whisper' | 'respond'>) {
  async function inThread(channelId: string, story: CardMessages, isPrivate: boolean, threadTs?: string) {
    const posted = await slack.post(channelId, story.card(isPrivate), threadTs)
    const { history } = story
    const told = history && slack.post(posted.channelId, history(), threadTs ?? posted.ts)
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
        // In a thread the history is where it belongs already.
        const wantsThread = !isDirect && threadTs === undefined
        const message = story.inOneMessage({ isPrivate: false, wantsThread })
        await slack.respond(responseUrl, message, { to: 'channel', threadTs })
        return { isPrivate: false, ...inOne }
      })
    return ways
  }

  /** Where they asked, for them alone; else in their direct message with the bot. */
  function toAsker(place: Place, story: CardMessages, replaces = false): readonly Attempt[] {
    const { channelId, userId, responseUrl, isDirect, threadTs, isThreadNew } = place
    const thread = isThreadNew ? undefined : threadTs
    // A response URL shows somebody alone nothing in a thread: it would stand at the bottom of the channel. It does where
    // the bot is no member, or Slack is busy: what may have arrived is said again rather than not at all.
    const isWhispered = responseUrl === undefined || (thread !== undefined && !replaces)
    const ways: ((message: Message) => Promise<void>)[] = []
    if (channelId !== undefined && !isDirect && isWhispered)
      ways.push((message) => slack.whisper(channelId, userId, message, thread))
    if (responseUrl !== undefined)
      ways.push((message) => slack.respond(responseUrl, message, { to: 'asker', replaces }))
    // Where the bot writes to somebody directly: to them; or in their direct message with it, in its threads too.
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

  /** A story from a private message into a channel. @throws UserError when the channel cannot be reached. */
  async function share(place: Place, channelId: string, story: CardMessages): Promise<Delivered> {
    // A button's own response_url leads to where the button is, which may be another conversation.
    const isThere = place.channelId === channelId
    const there = { ...place, channelId, isDirect: false }
    const ways = toChannel(isThere ? there : { ...there, responseUrl: undefined, threadTs: undefined }, story)
    try {
      return await firstThatWorks(ways, true)
    } catch (error) {
      if (!(error instanceof SlackError && error.isInviteNeeded)) throw error
      throw new UserError(
        'Bellhop can’t post in that channel. Invite it there with /invite @Bellhop, then share again.',
      )
    }
  }

  return {
    share,
    async announce(place: Place, channelId: string, message: Message): Promise<void> {
      await share(place, channelId, alone(message))
    },
    /** A story for the channel, or for the asker alone: the first way that works. Throws when no way is open. */
    tell(place: Place, story: CardMessages, to: 'channel' | 'asker'): Promise<Delivered> {
      const first = to === 'channel' ? toChannel(place, story) : []
      return firstThatWorks([...first, ...toAsker(place, story)])
    },
    /** One message that only the asker sees. @param how.replaces - Takes the place of the one whose button was pressed. */
    async privately(place: Place, message: Message, { replaces } = { replaces: false }): Promise<void> {
      await firstThatWorks(toAsker(place, alone(message), replaces))
    },
  }
}

const inOne = { posted: undefined, isHistoryTold: true } as const
