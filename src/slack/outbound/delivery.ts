// Delivers an answer: the place it goes to, the ladder that finds a way there (channel, response URL, direct message), and
// how a place survives a modal or a database.
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { mayBeDone, SlackError } from '../client/slack-error.ts'
import { type SlackUser, slackId, slackTs } from '../ids.ts'
import type { Message, Posted } from './message.ts'
import type { Outbound } from './outbound.ts'

/** Where somebody asked. */
export interface Place extends SlackUser {
  /** Undefined where there is no conversation, as in a modal opened from nowhere. */
  readonly channelId: string | undefined
  readonly responseUrl: string | undefined
  /** A direct message, or a group's where Slack says that it is one: nobody can be invited there. */
  readonly isDirect: boolean
  /** The `ts` of the message whose button was pressed, when there was one. */
  readonly pressedTs?: string | undefined
  /** The `ts` of the thread's parent, when it was asked in a thread: what is answered stays there. */
  readonly threadTs?: string | undefined
  /** True while nobody has replied in that thread: Slack then shows no private message there. */
  readonly isThreadNew?: boolean | undefined
}

/** Where there is no conversation. */
export function nowhere({ workspaceId, userId }: SlackUser): Place {
  return { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: false }
}

/**
 * What a story says of where it landed. `invite`: in the channel without a thread, for want of membership.
 * `only-you`: to the asker alone, though it was for the channel.
 */
export type Note = 'invite' | 'only-you'

/** What is told in two messages where there is a thread, and in one where there is not. */
export interface Story {
  card(isPrivate: boolean): Message
  history(): Message
  inOneMessage(how: { readonly isPrivate: boolean; readonly note: Note | undefined }): Message
}

/** `thread`: card and history are two messages. `one-message`: they are one. */
export type Landed =
  | {
      readonly layout: 'thread'
      readonly isPrivate: boolean
      /** Slack confirmed the reply. */
      readonly isHistoryTold: boolean
      /** Where the card stands. */
      readonly posted: Posted
    }
  | { readonly layout: 'one-message'; readonly isPrivate: boolean }

/** A way of sending. @param why - Why the way before it did not work. */
type Way<T> = (why: unknown) => Promise<T>

/** Runs ways in turn until one works. */
async function firstThatWorks<T>(ways: readonly Way<T>[], mayGoOn = nextMayWork): Promise<T> {
  let why: unknown
  for (const [index, way] of ways.entries()) {
    try {
      return await way(why)
    } catch (error) {
      if (index === ways.length - 1 || !mayGoOn(error)) throw error
      why = error
    }
  }
  throw new TypeError('no way was given')
}

/** Where Slack asks to wait, the next way would be asked to wait as well. And what it cannot read stays unreadable. */
function nextMayWork(error: unknown): boolean {
  return error instanceof SlackError && error.waitSeconds === undefined && error.word !== 'invalid_blocks'
}

/** True when a share that failed may be tried again without standing twice. */
export function isCertainlyNotShared(error: unknown): boolean {
  return error instanceof UserError || !mayBeDone(error)
}

/** What is shared must not stand twice, so the next way is tried only when it certainly does not stand yet. */
async function orInvite<T>(ways: readonly Way<T>[]): Promise<T> {
  try {
    return await firstThatWorks(ways, (error) => nextMayWork(error) && !mayBeDone(error))
  } catch (error) {
    if (!(error instanceof SlackError && error.isInviteNeeded)) throw error
    throw new UserError(
      'Bellhop can’t post in that channel. Invite it there with /invite @Bellhop, then share again.',
    )
  }
}

/** A button's own response_url leads to where the button is, which may be another conversation. */
function inChannel(place: Place, channelId: string): Place {
  const there = place.channelId === channelId ? {} : { responseUrl: undefined, threadTs: undefined }
  return { ...place, channelId, isDirect: false, ...there }
}

export function createDelivery(slack: Pick<Outbound, 'post' | 'whisper' | 'whisperOnce' | 'respond'>) {
  async function inThread(
    channelId: string,
    story: Story,
    isPrivate: boolean,
    threadTs?: string,
  ): Promise<Landed> {
    const posted = await slack.post(channelId, story.card(isPrivate), threadTs)
    const told = slack.post(posted.channelId, story.history(), threadTs ?? posted.ts)
    const isHistoryTold = await told.then(
      () => true,
      (error: unknown) => {
        if (error instanceof SlackError) return false
        throw error
      },
    )
    return { layout: 'thread', isPrivate, isHistoryTold, posted }
  }

  function channelWays({ channelId, responseUrl, isDirect, threadTs }: Place, story: Story): Way<Landed>[] {
    const ways: Way<Landed>[] = []
    if (channelId !== undefined) ways.push(() => inThread(channelId, story, false, threadTs))
    if (responseUrl !== undefined) {
      ways.push(async (why) => {
        // In a thread the history is where it belongs already.
        const wantsThread = !isDirect && threadTs === undefined
        const isInviteNeeded = why instanceof SlackError && why.isInviteNeeded
        const note = wantsThread && isInviteNeeded ? 'invite' : undefined
        const message = story.inOneMessage({ isPrivate: false, note })
        await slack.respond(responseUrl, message, { to: 'channel', threadTs })
        return { layout: 'one-message', isPrivate: false }
      })
    }
    return ways
  }

  function privateWays(place: Place, story: Story, note: 'only-you' | undefined): Way<Landed>[] {
    const { userId, channelId, responseUrl, isDirect, threadTs } = place
    // In the direct message with the bot, everything is between the two.
    if (isDirect && responseUrl === undefined && channelId !== undefined)
      return [() => inThread(channelId, story, true, threadTs)]
    const show = whereAsked(place)
    const directly = () => inThread(userId, story, true)
    if (show === undefined) return [directly]
    const inOneMessage = async (): Promise<Landed> => {
      await show(story.inOneMessage({ isPrivate: true, note }), false)
      return { layout: 'one-message', isPrivate: true }
    }
    return [inOneMessage, directly]
  }

  /** Shows the asker something where they asked; undefined where there is no way. */
  function whereAsked({ channelId, userId, responseUrl, isDirect, threadTs, isThreadNew }: Place) {
    const thread = isThreadNew ? undefined : threadTs
    const whispersIn = isDirect ? undefined : channelId
    if (responseUrl === undefined) {
      if (whispersIn === undefined) return undefined
      return (message: Message) => slack.whisper(whispersIn, userId, message, thread)
    }
    return async (message: Message, replaces: boolean) => {
      // A response URL shows somebody alone nothing in a thread: it would stand at the bottom of the channel.
      if (whispersIn !== undefined && thread !== undefined && !replaces) {
        try {
          return await slack.whisperOnce(whispersIn, userId, message, thread)
        } catch (error) {
          // The bot is not a member, or Slack is busy. What may have arrived is said again rather than not at all.
          if (!(error instanceof SlackError)) throw error
        }
      }
      await slack.respond(responseUrl, message, { to: 'asker', replaces })
    }
  }

  return {
    /**
     * One message that only the asker sees: in the thread where they asked, or by the `response_url`, else as a direct
     * message.
     * @param how.replaces - Takes the place of the message whose button was pressed.
     */
    async privately(place: Place, message: Message, { replaces } = { replaces: false }): Promise<void> {
      const { userId, channelId, responseUrl, isDirect, threadTs } = place
      if (isDirect && responseUrl === undefined && channelId !== undefined)
        return void (await slack.post(channelId, message, threadTs))
      const show = whereAsked(place)
      const directly = () => slack.post(userId, message)
      const ways: Way<unknown>[] = show === undefined ? [] : [() => show(message, replaces)]
      await firstThatWorks([...ways, directly])
    },
    /** A story for the channel, or for the asker alone: the first way that works. Throws when no way is open. */
    tell: (place: Place, story: Story, to: 'channel' | 'asker'): Promise<Landed> =>
      firstThatWorks(
        to === 'asker'
          ? privateWays(place, story, undefined)
          : [...channelWays(place, story), ...privateWays(place, story, 'only-you')],
      ),
    /** A story from a private message into a channel. @throws UserError when the channel cannot be reached. */
    share: (place: Place, channelId: string, story: Story): Promise<Landed> =>
      orInvite(channelWays(inChannel(place, channelId), story)),
    /** As `share`, for one message. */
    async announce(place: Place, channelId: string, message: Message): Promise<void> {
      const { responseUrl, threadTs } = inChannel(place, channelId)
      const ways: Way<unknown>[] = [() => slack.post(channelId, message, threadTs)]
      if (responseUrl !== undefined)
        ways.push(() => slack.respond(responseUrl, message, { to: 'channel', threadTs }))
      await orInvite(ways)
    },
  }
}

/** A place that is kept, as JSON. Whoever comes back with it says who they are: that is not kept. */
export const keptPlaceSchema = z.object({
  channelId: slackId.optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: slackTs.optional(),
  threadTs: slackTs.optional(),
  isThreadNew: z.boolean().optional(),
})

export type KeptPlace = z.infer<typeof keptPlaceSchema>

export function keptPlace({ workspaceId: _, userId: __, ...kept }: Place): {
  readonly [key in keyof KeptPlace]: Place[key]
} {
  return kept
}

/** @param owner - Who comes back with it. */
export function placeFrom(kept: KeptPlace, { workspaceId, userId }: SlackUser): Place {
  const { channelId, responseUrl } = kept
  return { ...kept, workspaceId, userId, channelId, responseUrl }
}
