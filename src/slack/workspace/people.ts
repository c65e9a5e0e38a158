// People, and whether they belong to the bot's installation; channels, who is in them, and whether they are shared.

import type { UsersInfoResponse, WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { UserError } from '../../errors.ts'
import { hourMs, minuteMs } from '../../work/durations.ts'
import { SlackError, unlessSlackFails } from '../client.ts'
import type { Patiently } from '../pace.ts'
import { type Clock, firstReadable, isDirectId, personInLine } from '../person.ts'
import type { Installation } from './bot.ts'

export type Profile = Awaited<ReturnType<ReturnType<typeof createPeople>['profileOf']>>

const keptMs = hourMs
const mostPeople = 1_000

export function createPeople(
  web: WebClient,
  installation: () => Promise<Installation>,
  patiently: Patiently,
  now: Clock,
) {
  const forAnHour = {
    max: mostPeople,
    ttl: keptMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
  }
  const writers = new LRUCache<string, Someone>({
    ...forAnHour,
    // Somebody whom Slack does not describe counts as a stranger.
    fetchMethod: async (id) =>
      (await read(id)) ?? someoneFrom({ id, is_stranger: true }, await installation()),
  })

  /** Asks Slack each time. Undefined when Slack says one of these words. @throws SlackError */
  async function read(userId: string, words = ['user_not_found', 'user_not_visible']) {
    const asked = patiently(() => web.users.info({ user: userId }))
    const found = await unlessSlackFails(asked, words)
    if (found === undefined) return undefined
    // An answer without a user says nothing about them.
    if (found.user === undefined) throw new SlackError('users.info', {})
    return someoneFrom(found.user, await installation())
  }

  /** Members’ ids by address; `''` for an address that is no member’s. Slack takes some 50 such questions a minute. */
  const members = new LRUCache<string, string>({
    ...forAnHour,
    async fetchMethod(email) {
      const id = await idOf(email)
      // Only `users.info` tells people of other organisations apart.
      const found = id === undefined ? undefined : await read(id)
      const isMember =
        found && !(found.isBot || found.isGuest || found.isDeactivated || found.isStranger)
      return (isMember && found.email?.toLowerCase() === email.toLowerCase() && id) || ''
    },
  })

  /** Undefined when nobody here has this address. @throws SlackError */
  async function idOf(email: string): Promise<string | undefined> {
    const asked = patiently(() => web.users.lookupByEmail({ email }))
    return (await unlessSlackFails(asked, ['users_not_found']))?.user?.id
  }

  /** Undefined when Slack does not say. */
  const whoIs = (userId: string) => unlessSlackFails(read(userId))

  return {
    whoIs,
    idOf,
    /** Somebody who asked or wrote something, kept for an hour. @throws SlackError */
    writerOf: (userId: string) => writers.forceFetch(userId),
    /** `name` is raw. @throws UserError for somebody who can't be given access, or whose address Slack does not show. */
    async profileOf(userId: string) {
      const found = await read(userId)
      const { shownName: name = 'that person', email, isGuest } = found ?? {}
      if (found?.isBot) throw new UserError(`${name} is a bot, so it can’t be given access.`)
      if (found?.isDeactivated || found?.isStranger) {
        const left = `${name} is deactivated in Slack, or belongs to another organisation.`
        throw new UserError(`${left} To grant access anyway, type the email address.`)
      }
      if (email === undefined)
        throw new UserError(`Slack shows no email address for ${name}. Type it instead.`)
      return { userId, email, name, isGuest }
    },
    /** The full member (no guest, bot or stranger) who has confirmed this address, kept for an hour. @throws SlackError */
    memberWith: async (email: string) => (await members.forceFetch(email)) || undefined,
    /** Whether somebody who belonged to the installation has left it. @throws SlackError when that is not known. */
    async hasLeft(userId: string): Promise<boolean> {
      // Slack still knows deactivated people: `user_not_found` means that the id is nobody's here. For somebody whom the
      // bot may not see, it says `user_not_visible`. Source: docs.slack.dev/reference/methods/users.info.
      const found = await read(userId, ['user_not_found'])
      return found === undefined || found.isDeactivated || found.isStranger
    },
    /** The full name, which people change least. Raw. Undefined when Slack does not say. */
    nameOf: async (userId: string) => (await unlessSlackFails(writers.forceFetch(userId)))?.name,
    /** IANA name of their time zone, as Slack has it: Intl may not know it. UTC when Slack does not say. */
    zoneOf: async (userId: string) => (await whoIs(userId))?.zone ?? 'UTC',
    /** `@alice (Alice Archer)`, raw. Undefined when Slack does not say. */
    async inLine(userId: string): Promise<string | undefined> {
      const { handle, name = '' } = (await whoIs(userId)) ?? {}
      return personInLine({ handle, name }) || undefined
    },
  }
}

type User = NonNullable<UsersInfoResponse['user']>
type Someone = ReturnType<typeof someoneFrom>

/** Somebody, from Slack's description of them. Text is raw. */
function someoneFrom(user: User, installation: Installation) {
  const { id = '', name, real_name, profile, is_email_confirmed, deleted } = user
  const admin = installation.isOrgWide ? user.enterprise_user : user
  const isStranger = !isOurs(installation, user)
  return {
    /** Unique here. Undefined when Slack does not show it, or it is not confirmed yet. */
    email: is_email_confirmed === false ? undefined : profile?.email || undefined,
    /** Unique in the workspace. Undefined when Slack does not say. */
    handle: name || undefined,
    name: real_name || profile?.display_name || name || undefined,
    /** The name beside their messages; their id when Slack does not say. */
    shownName: firstReadable([profile?.display_name, profile?.real_name, real_name, name]) || id,
    isBot: user.is_bot === true || id === 'USLACKBOT',
    isGuest: Boolean(user.is_restricted || user.is_ultra_restricted),
    isDeactivated: deleted === true,
    isStranger,
    isAdmin: !isStranger && Boolean(admin?.is_admin || admin?.is_owner),
    /** IANA name. Undefined when Slack does not say. */
    zone: user.tz || undefined,
  }
}

/**
 * True for people of the installation's workspace, or another one of its organisation. On Enterprise Grid, Slack may
 * name the organisation as their team.
 * Source: docs.slack.dev/apis/slack-connect (external members) and docs.slack.dev/enterprise.
 */
function isOurs({ teamId, enterpriseId }: Installation, user: User): boolean {
  const { team_id = '', is_stranger, enterprise_user } = user
  if (enterpriseId !== undefined && enterprise_user?.enterprise_id === enterpriseId) return true
  return !is_stranger && (team_id === teamId || team_id === enterpriseId)
}

export interface ChannelState {
  readonly isMember: boolean
  /** True when other organisations read there. Undefined when the bot may not see that. */
  readonly isShared: boolean | undefined
  /** Raw. Undefined for a private channel. */
  readonly name?: string | undefined
}

/**
 * How long Slack’s answer about a channel counts: it takes 50 such questions a minute, one for each live card’s channel. It
 * tells only one process that a channel has become shared; others notice after this time.
 */
const stateKeptMs = 10 * minuteMs
/** How long an answer counts for a channel that is about to get a message. If Slack fails then, older answers count. */
const freshMs = 60_000
const mostChannels = 1_000
/** Falls back on the last answer when Slack fails. */
const keepsOld = { allowStaleOnFetchRejection: true, noDeleteOnFetchRejection: true }
/** Slack lists no more at once. */
const mostMembers = 999

export function createChannels(web: WebClient, now: Clock) {
  const states = new LRUCache<string, ChannelState>({
    max: mostChannels,
    ttl: stateKeptMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
    async fetchMethod(channel, _, { options }) {
      try {
        const { channel: found } = await web.conversations.info({ channel })
        const isMember = found?.is_member === true && found.is_archived !== true
        const name = found?.is_private === false ? found.name : undefined
        return { isMember, isShared: found?.is_ext_shared ?? false, name }
      } catch (error) {
        if (!(error instanceof SlackError && error.isChannelLost)) throw error
        // Not kept: somebody may invite the bot at any time.
        options.ttl = 1
        return { isMember: false, isShared: undefined }
      }
    },
  })

  function stateOf(channelId: string, isJustNow = false): Promise<ChannelState | undefined> {
    const ttl = states.getRemainingTTL(channelId)
    const forceRefresh = isJustNow || ttl < stateKeptMs - freshMs
    const counts = ttl > 0 && !isJustNow
    return unlessSlackFails(states.fetch(channelId, { forceRefresh, ...(counts && keepsOld) }))
  }

  return {
    /** Raw. Undefined when Slack does not say, and for a private channel: nobody need know of it. */
    nameOf: async (channelId: string) => (await unlessSlackFails(states.fetch(channelId)))?.name,
    /** Whether other organisations read there, up to ten minutes old. Undefined when Slack does not say. */
    async isSharedLately(channelId: string): Promise<boolean | undefined> {
      // A direct message is joined by nobody else, and the scopes don't let the bot ask about one.
      if (isDirectId(channelId)) return false
      return (await unlessSlackFails(states.fetch(channelId)))?.isShared
    },
    /**
     * A channel's state, at most a minute old. While Slack fails, an answer of the last ten minutes counts; undefined if
     * there is none.
     * @param isJustNow - Asks Slack anew: an older answer never counts.
     */
    stateOf,
    /**
     * Whether people of another organisation read there. Whatever is about access, or names people, is posted only if
     * the answer is `none`: `unknown` may be some. As old as the answer of `stateOf`.
     */
    async outsiders(channelId: string, isJustNow?: boolean): Promise<'none' | 'some' | 'unknown'> {
      if (isDirectId(channelId)) return 'none'
      const { isShared } = (await stateOf(channelId, isJustNow)) ?? {}
      if (isShared === undefined) return 'unknown'
      return isShared ? 'some' : 'none'
    },
    /** Asks Slack each time. Undefined when Slack does not say, or lists only some of the members. */
    async isMember(channel: string, userId: string): Promise<boolean | undefined> {
      const listed = await unlessSlackFails(
        web.conversations.members({ channel, limit: mostMembers }),
      )
      const isThere = listed?.members?.includes(userId)
      return isThere || !listed?.response_metadata?.next_cursor ? isThere : undefined
    },
  }
}

/** The emoji of a code such as `:rocket:`. Loads its table when needed: few texts have any, and it takes memory. */
export async function emojiOf(code: string): Promise<string | undefined> {
  const { nameToEmoji } = await import('gemoji')
  const name = code.slice(1, -1)
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
}
