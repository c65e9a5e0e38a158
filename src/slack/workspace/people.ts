// People of one workspace, as others read them, and whether they belong to the bot's installation. And its channels: whether
// another organisation shares one, and who is in it.
import type { UsersInfoResponse, WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { UserError } from '../../errors.ts'
import { SlackError, unlessSlackFails } from '../client.ts'
import type { Patiently } from '../pace.ts'
import { type Clock, firstReadable, isDirectId, personInLine } from '../person.ts'
import type { Installation } from './bot.ts'

export interface Profile {
  readonly email: string
  /** Raw. */
  readonly name: string
  readonly isGuest: boolean
}

const writerKeptMs = 60 * 60_000
const mostPeople = 1_000

export function createPeople(
  web: WebClient,
  installation: () => Promise<Installation>,
  patiently: Patiently,
  now: Clock,
) {
  const writers = new LRUCache<string, Someone>({
    max: mostPeople,
    ttl: writerKeptMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
    // Slack not telling who they are makes them a stranger.
    fetchMethod: async (id) =>
      (await read(id)) ?? someoneFrom({ id, is_stranger: true }, await installation()),
  })

  /**
   * Asked of Slack each time, and not kept. Undefined where Slack says one of these words: by default, it does not know
   * them, or the bot may not see them. @throws SlackError
   */
  async function read(userId: string, words = ['user_not_found', 'user_not_visible']) {
    const asked = patiently(() => web.users.info({ user: userId }))
    const found = await unlessSlackFails(asked, words)
    if (found === undefined) return undefined
    // An answer without anybody says nothing of them.
    if (found.user === undefined) throw new SlackError('users.info', {})
    return someoneFrom(found.user, await installation())
  }

  /** Whose address this is; undefined when it is nobody's here. @throws SlackError */
  async function idOf(email: string): Promise<string | undefined> {
    const asked = patiently(() => web.users.lookupByEmail({ email }))
    return (await unlessSlackFails(asked, ['users_not_found']))?.user?.id
  }

  /** Undefined when Slack does not say. */
  const whoIs = (userId: string): Promise<Someone | undefined> => unlessSlackFails(read(userId))

  return {
    ...{ whoIs, idOf },
    /** Somebody who has asked or written something. Asked once an hour. @throws SlackError */
    writerOf: (userId: string): Promise<Someone> => writers.forceFetch(userId),
    /** @throws UserError for those who cannot be given access, and where no address is shown. */
    async profileOf(userId: string): Promise<Profile> {
      const found = await read(userId)
      if (found === undefined)
        throw new UserError('Slack doesn’t know that person. Type the email address instead.')
      const { shownName: name, email, isBot, isDeactivated, isStranger, isGuest } = found
      const anyway = 'To grant access anyway, type the email address.'
      if (isBot) throw new UserError(`${name} is a bot, so it can’t be given access.`)
      if (isDeactivated) throw new UserError(`${name} is deactivated in Slack. ${anyway}`)
      if (isStranger) throw new UserError(`${name} belongs to another organisation. ${anyway}`)
      if (email === undefined)
        throw new UserError(`Slack shows no email address for ${name}. Type it instead.`)
      return { email, name, isGuest }
    },
    /** The full member of this workspace who has confirmed this address: no guest, bot or stranger. @throws SlackError */
    async memberWith(email: string): Promise<string | undefined> {
      const id = await idOf(email)
      // Of those of other organisations, only this one says so.
      const found = id === undefined ? undefined : await read(id)
      const isMember = found && !(found.isBot || found.isGuest || found.isDeactivated || found.isStranger)
      return isMember && found.email?.toLowerCase() === email.toLowerCase() ? id : undefined
    },
    /** Whether somebody who was of the installation is not any more. @throws SlackError, and then nothing is known. */
    async hasLeft(userId: string): Promise<boolean> {
      // Slack keeps whoever is deactivated, and says so: this is nobody's id here. Of somebody whom the bot may not see it
      // says `user_not_visible`. Source: docs.slack.dev/reference/methods/users.info.
      const found = await read(userId, ['user_not_found'])
      return found === undefined || found.isDeactivated || found.isStranger
    },
    /** Anybody's full name, raw: it is what they change least. Undefined when Slack does not say. */
    nameOf: async (userId: string): Promise<string | undefined> => (await whoIs(userId))?.name,
    /** Anybody, in a line among other words, raw: `@alice (Alice Archer)`. Undefined when Slack does not say. */
    async inLine(userId: string): Promise<string | undefined> {
      const { handle, name = '' } = (await whoIs(userId)) ?? {}
      return personInLine({ handle, name }) || undefined
    },
  }
}

type User = NonNullable<UsersInfoResponse['user']>
type Someone = ReturnType<typeof someoneFrom>

/** Somebody, as Slack describes them. All raw. */
function someoneFrom(user: User, installation: Installation) {
  const { id = '', name, real_name, profile, is_email_confirmed, deleted } = user
  const admin = installation.isOrgWide ? user.enterprise_user : user
  const isStranger = !isOurs(installation, user)
  return {
    /** Undefined where Slack does not show it, or they have not confirmed it yet. Nobody else here has it. */
    email: is_email_confirmed === false ? undefined : profile?.email || undefined,
    /** Nobody else in the workspace has it; undefined where Slack does not say. */
    handle: name || undefined,
    /** Their full name. */
    name: real_name || profile?.display_name || name || undefined,
    /** As others see it beside what they write; their id where Slack does not say. */
    shownName: firstReadable([profile?.display_name, profile?.real_name, real_name, name]) || id,
    isBot: user.is_bot === true || id === 'USLACKBOT',
    isGuest: Boolean(user.is_restricted || user.is_ultra_restricted),
    isDeactivated: deleted === true,
    isStranger,
    isAdmin: !isStranger && Boolean(admin?.is_admin || admin?.is_owner),
  }
}

/**
 * Whether they are of the installation's workspace, or of its organisation's other ones. On Enterprise Grid, Slack may
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
  /** Other organisations read there. Undefined where the bot may not see that. */
  readonly isShared: boolean | undefined
  /** Raw; of a public channel. */
  readonly name?: string | undefined
}

/**
 * What Slack said counts for so long: it answers 50 such questions a minute, and each channel with a live card costs one.
 * Slack tells one process alone that a channel has become shared; others notice after this time.
 */
const stateKeptMs = 10 * 60_000
/** Of a channel where something is to be said, it counts for less long, as long as Slack answers. */
const freshMs = 60_000
const mostChannels = 1_000
/** What was known is taken where Slack does not answer. */
const keepsOld = { allowStaleOnFetchRejection: true, noDeleteOnFetchRejection: true }
/** As many as Slack lists at once: of a channel with more members, nobody is known. */
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
        if (!(error instanceof SlackError && error.isPlaceLost)) throw error
        // Somebody may invite it at any time.
        options.ttl = 1
        return { isMember: false, isShared: undefined }
      }
    },
  })

  /** Nobody comes into a direct message, and the scopes say nothing of them. */
  async function isShared(channelId: string, forceRefresh: boolean): Promise<boolean | undefined> {
    if (isDirectId(channelId)) return false
    return (await unlessSlackFails(states.fetch(channelId, { forceRefresh })))?.isShared
  }

  return {
    /** A channel's name, raw. Undefined when Slack does not say, and of a private one: nobody need know of it. */
    nameOf: async (channelId: string): Promise<string | undefined> =>
      (await unlessSlackFails(states.fetch(channelId)))?.name,
    /** Whether other organisations read there. Undefined when Slack does not say, as without the scopes to ask. */
    isShared: (channelId: string) => isShared(channelId, true),
    /** As `isShared`, as Slack said it not long ago. */
    isSharedLately: (channelId: string) => isShared(channelId, false),
    /** As Slack said it within the minute, or not long ago where it says nothing now. Undefined when it said neither. */
    stateOf(channelId: string, isJustNow = false): Promise<ChannelState | undefined> {
      const ttl = states.getRemainingTTL(channelId)
      const forceRefresh = isJustNow || ttl < stateKeptMs - freshMs
      const counts = ttl > 0 && !isJustNow
      return unlessSlackFails(states.fetch(channelId, { forceRefresh, ...(counts && keepsOld) }))
    },
    /** False too where Slack does not say, and where there are more members than are read. */
    async isMember(channel: string, userId: string): Promise<boolean> {
      const listed = await unlessSlackFails(web.conversations.members({ channel, limit: mostMembers }))
      return !listed?.response_metadata?.next_cursor && (listed?.members?.includes(userId) ?? false)
    },
  }
}

/** By its code, as `:rocket:`. Few texts have any, and the table takes memory. */
export async function emojiOf(code: string): Promise<string | undefined> {
  const { nameToEmoji } = await import('gemoji')
  return nameToEmoji[code.slice(1, -1)]
}
