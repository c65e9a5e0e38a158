// Delivers an answer: the place it goes to, the ladder that finds a way there, and how a place survives a modal or a
// database.

import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { classify } from '../client/refusals.ts'
import { type PerWorkspace, type SlackUser, slackId, slackTs } from '../ids.ts'
import type { Message, Posted } from './message.ts'
import type { Outbound } from './outbound.ts'

/** Where somebody asked. */
export interface Place {
  /** Of the installation: whatever is sent there goes out with its token. */
  readonly workspaceId: string
  readonly userId: string
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

export interface Delivery {
  /**
   * One message that only the asker sees: in the thread where they asked, or by the `response_url`, else as a direct
   * message.
   * @param how.replaces - Takes the place of the message whose button was pressed.
   */
  privately(place: Place, message: Message, how?: { readonly replaces: boolean }): Promise<void>
  /** A story for the channel, or for the asker alone: the first way that works. Throws when no way is open. */
  tell(place: Place, story: Story, to: 'channel' | 'asker'): Promise<Landed>
  /** A story from a private message into a channel. @throws UserError when the channel cannot be reached. */
  share(place: Place, channelId: string, story: Story): Promise<Landed>
  /** As `share`, for one message. */
  announce(place: Place, channelId: string, message: Message): Promise<void>
}

/** Where Slack asks to wait, the next way would be asked to wait as well. And what it cannot read stays unreadable. */
function nextMayWork(error: unknown): boolean {
  const { kind, word } = classify(error)
  return kind !== 'defect' && kind !== 'busy' && word !== 'invalid_blocks'
}

/** A way of sending. @param why - Why the way before it did not work. */
type Way<T> = (why: unknown) => Promise<T>

/** Runs ways in turn until one works. */
async function firstThatWorks<T>(
  ways: readonly Way<T>[],
  mayGoOn: (error: unknown) => boolean = nextMayWork,
): Promise<T> {
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

/** The direct message with the bot, for what was written there: everything in it is between the two. */
function ownDirectOf({ channelId, responseUrl, isDirect }: Place): string | undefined {
  return isDirect && responseUrl === undefined ? channelId : undefined
}

/** True when a share that failed may be tried again without standing twice. */
export function isCertainlyNotShared(error: unknown): boolean {
  return error instanceof UserError || !classify(error).mayBeDone
}

/** For places of the workspace that this leads into. */
function createDeliveryIn(outbound: Outbound): Delivery {
  async function inThread(
    channelId: string,
    story: Story,
    isPrivate: boolean,
    threadTs?: string,
  ): Promise<Landed> {
    const posted = await outbound.post(channelId, story.card(isPrivate), threadTs)
    try {
      await outbound.post(posted.channelId, story.history(), threadTs ?? posted.ts)
      return { layout: 'thread', isPrivate, isHistoryTold: true, posted }
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      return { layout: 'thread', isPrivate, isHistoryTold: false, posted }
    }
  }

  function channelWays(place: Place, story: Story): Way<Landed>[] {
    const { channelId, responseUrl, isDirect, threadTs } = place
    const ways: Way<Landed>[] = []
    if (channelId !== undefined) ways.push(() => inThread(channelId, story, false, threadTs))
    if (responseUrl !== undefined) {
      ways.push(async (why) => {
        // In a thread the history is where it belongs already.
        const wantsThread = !isDirect && threadTs === undefined
        const note = wantsThread && classify(why).isInviteNeeded ? 'invite' : undefined
        const message = story.inOneMessage({ isPrivate: false, note })
        await outbound.respond(responseUrl, message, { to: 'channel', threadTs })
        return { layout: 'one-message', isPrivate: false }
      })
    }
    return ways
  }

  function privateWays(place: Place, story: Story, note: 'only-you' | undefined): Way<Landed>[] {
    const { userId, threadTs } = place
    const ownDirect = ownDirectOf(place)
    if (ownDirect !== undefined) return [() => inThread(ownDirect, story, true, threadTs)]
    const inPlace = inPlaceOf(place)
    const oneMessage = async (send: NonNullable<typeof inPlace>): Promise<Landed> => {
      await send(story.inOneMessage({ isPrivate: true, note }), false)
      return { layout: 'one-message', isPrivate: true }
    }
    return [
      ...(inPlace === undefined ? [] : [() => oneMessage(inPlace)]),
      () => inThread(userId, story, true),
    ]
  }

  /** Finds the way to show the asker something where they asked; undefined where there is none. */
  function inPlaceOf(place: Place) {
    const { channelId, userId, responseUrl, isDirect } = place
    const threadTs = place.isThreadNew ? undefined : place.threadTs
    const canWhisper = channelId !== undefined && !isDirect
    if (responseUrl === undefined) {
      return canWhisper
        ? (message: Message) => outbound.whisper(channelId, userId, message, threadTs)
        : undefined
    }
    return async (message: Message, replaces: boolean) => {
      // A response URL shows somebody alone nothing in a thread: it would stand at the bottom of the channel.
      if (canWhisper && threadTs !== undefined && !replaces) {
        try {
          return await outbound.whisperOnce(channelId, userId, message, threadTs)
        } catch (error) {
          // The bot is not a member, or Slack is busy. What may have arrived is said again rather than not at all.
          if (classify(error).kind === 'defect') throw error
        }
      }
      await outbound.respond(responseUrl, message, { to: 'asker', replaces })
    }
  }

  /** The button's own response_url leads to where the button is, which may be another conversation. */
  function inChannel(place: Place, channelId: string): Place {
    const isThere = place.channelId === channelId
    const responseUrl = isThere ? place.responseUrl : undefined
    const threadTs = isThere ? place.threadTs : undefined
    return { ...place, channelId, responseUrl, threadTs, isDirect: false }
  }

  /** What is shared must not stand twice, so the next way is tried only when it certainly does not stand yet. */
  async function orInvite<T>(ways: readonly Way<T>[]): Promise<T> {
    try {
      return await firstThatWorks(ways, (error) => nextMayWork(error) && !classify(error).mayBeDone)
    } catch (error) {
      if (!classify(error).isInviteNeeded) throw error
      throw new UserError(
        'Bellhop can’t post in that channel. Invite it there with /invite @Bellhop, then share again.',
      )
    }
  }

  return {
    async privately(place, message, { replaces } = { replaces: false }) {
      const { userId, threadTs } = place
      const ownDirect = ownDirectOf(place)
      if (ownDirect !== undefined) return void (await outbound.post(ownDirect, message, threadTs))
      const inPlace = inPlaceOf(place)
      const ways: Way<unknown>[] = inPlace === undefined ? [] : [() => inPlace(message, replaces)]
      await firstThatWorks([...ways, () => outbound.post(userId, message)])
    },
    tell: (place, story, to) =>
      firstThatWorks(
        to === 'asker'
          ? privateWays(place, story, undefined)
          : [...channelWays(place, story), ...privateWays(place, story, 'only-you')],
      ),
    share: (place, channelId, story) => orInvite(channelWays(inChannel(place, channelId), story)),
    async announce(place, channelId, message) {
      const { responseUrl, threadTs } = inChannel(place, channelId)
      const ways: Way<unknown>[] = [() => outbound.post(channelId, message, threadTs)]
      if (responseUrl !== undefined)
        ways.push(() => outbound.respond(responseUrl, message, { to: 'channel', threadTs }))
      await orInvite(ways)
    },
  }
}

/** Into whichever workspace a place is of. */
export function createDelivery(outbound: PerWorkspace<Outbound>): Delivery {
  const into = ({ workspaceId }: Place) => createDeliveryIn(outbound.in(workspaceId))
  return {
    privately: (place, message, how) => into(place).privately(place, message, how),
    tell: (place, story, to) => into(place).tell(place, story, to),
    share: (place, channelId, story) => into(place).share(place, channelId, story),
    announce: (place, channelId, message) => into(place).announce(place, channelId, message),
  }
}

/** A place that is kept, as JSON. Whoever comes back with it says who they are: that is not kept. */
export const keptPlaceSchema = z.object({
  /** Whose it was. Undefined in what was kept by a version that knew but one. */
  workspaceId: slackId.optional(),
  channelId: slackId.optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: slackTs.optional(),
  threadTs: slackTs.optional(),
  isThreadNew: z.boolean().optional(),
})

export type KeptPlace = z.infer<typeof keptPlaceSchema>

export function keptPlace(place: Place): { readonly [key in keyof KeptPlace]: Place[key] } {
  const { userId: _, ...kept } = place
  return kept
}

/** What was kept in another workspace leads nowhere. @param owner - Who comes back with it. */
export function placeFrom(kept: KeptPlace, owner: SlackUser): Place {
  const { workspaceId, userId } = owner
  if ((kept.workspaceId ?? workspaceId) !== workspaceId) return nowhere(owner)
  const { channelId, responseUrl } = kept
  return { ...kept, workspaceId, userId, channelId, responseUrl }
}
