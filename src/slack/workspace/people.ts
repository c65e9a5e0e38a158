// People of one workspace: their profiles, whether they belong to the bot's installation, and their names as others
// read them.
import type { UsersInfoResponse, WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { UserError } from '../../errors.ts'
import { unlessSlackFails } from '../client/slack-error.ts'
import type { Patiently } from '../client/web-client.ts'
import type { Clock } from '../ids.ts'
import type { Installation } from './bot.ts'
import { firstReadable, personInLine } from './names.ts'

export interface Profile {
  readonly email: string
  /** Raw. */
  readonly name: string
  readonly isGuest: boolean
}

/** Somebody, for those who have to know whose Slack account it is. All raw. */
export interface Identity {
  /** Undefined where Slack does not show it, or they have not confirmed it yet. Nobody else here has it. */
  readonly email: string | undefined
  /** Undefined where Slack does not say. */
  readonly handle: string | undefined
  /** Their full name, which they choose. */
  readonly name: string | undefined
}

export interface Writer {
  /** As others see it beside what they write. Raw; their id where Slack does not say. */
  readonly name: string
  /** Nobody else in the workspace has it; undefined where Slack does not say. */
  readonly handle: string | undefined
  readonly isBot: boolean
  /** Of another organisation. */
  readonly isStranger: boolean
}

const writerKeptMs = 60 * 60_000
const mostPeople = 1_000

export type People = ReturnType<typeof createPeople>

export function createPeople(slack: {
  readonly web: WebClient
  readonly installation: () => Promise<Installation>
  readonly patiently: Patiently
  readonly now: Clock
}) {
  const { web, installation, patiently, now } = slack
  const writers = new LRUCache<string, Writer>({
    max: mostPeople,
    ttl: writerKeptMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
    fetchMethod: readWriter,
  })

  /** Undefined when Slack does not know them. @throws SlackError */
  async function userOf(userId: string): Promise<User | undefined> {
    const asked = patiently(() => web.users.info({ user: userId }))
    return (await unlessSlackFails(asked, ['user_not_found', 'user_not_visible']))?.user
  }

  /** Whose address this is; undefined when it is nobody's here. @throws SlackError */
  async function idOf(email: string): Promise<string | undefined> {
    const asked = patiently(() => web.users.lookupByEmail({ email }))
    return (await unlessSlackFails(asked, ['users_not_found']))?.user?.id
  }

  async function isOfAnother(user: User): Promise<boolean> {
    return !isUserOurs(await installation(), user)
  }

  async function readWriter(userId: string): Promise<Writer> {
    const user = await userOf(userId)
    if (user === undefined) return { name: userId, handle: undefined, isBot: false, isStranger: true }
    const name = shownNameOf(user) || userId
    return { name, handle: user.name, isBot: isBot(user), isStranger: await isOfAnother(user) }
  }

  /** Asked of Slack each time, and not kept. Undefined when Slack does not say. */
  async function identityOf(userId: string): Promise<Identity | undefined> {
    const user = await unlessSlackFails(userOf(userId))
    if (user === undefined) return undefined
    const email = user.is_email_confirmed === false ? undefined : user.profile?.email
    return { email: email || undefined, handle: user.name || undefined, name: fullNameOf(user) }
  }

  return {
    ...{ identityOf, idOf },
    /**
     * Somebody who has asked or written something. Slack not telling who they are makes them a stranger. Asked once an
     * hour. @throws SlackError
     */
    writerOf: (userId: string): Promise<Writer> => writers.forceFetch(userId),
    /**
     * The profile of somebody who can be given access.
     * @throws UserError for bots, deactivated people, people of other organisations, and where no address is shown.
     */
    async profileOf(userId: string): Promise<Profile> {
      const user = await userOf(userId)
      if (user === undefined)
        throw new UserError('Slack doesn’t know that person. Type the email address instead.')
      const name = shownNameOf(user) || userId
      const anyway = 'To grant access anyway, type the email address.'
      if (isBot(user)) throw new UserError(`${name} is a bot, so it can’t be given access.`)
      if (user.deleted) throw new UserError(`${name} is deactivated in Slack. ${anyway}`)
      if (await isOfAnother(user)) throw new UserError(`${name} belongs to another organisation. ${anyway}`)
      const email = user.profile?.email
      if (!email) throw new UserError(`Slack shows no email address for ${name}. Type it instead.`)
      return { email, name, isGuest: Boolean(user.is_restricted || user.is_ultra_restricted) }
    },
    /**
     * The full member of this workspace who has confirmed this address: no guest, bot, deactivated person or member of
     * another organisation. Undefined when there is none. @throws SlackError
     */
    async memberWith(email: string): Promise<string | undefined> {
      const id = await idOf(email)
      // Of those of other organisations, only this one says so.
      const user = id === undefined ? undefined : await userOf(id)
      if (user === undefined || !isFullMember(user) || (await isOfAnother(user))) return undefined
      return user.is_email_confirmed !== false && isSameAddress(user.profile?.email, email) ? id : undefined
    },
    /**
     * Whether they may set things for the workspace, or for the organisation where the bot is installed for all of it.
     * @throws SlackError
     */
    async isAdmin(userId: string): Promise<boolean> {
      const user = await userOf(userId)
      if (user === undefined || (await isOfAnother(user))) return false
      const of = (await installation()).isOrgWide ? user.enterprise_user : user
      return of?.is_admin === true || of?.is_owner === true
    },
    /**
     * Whether somebody who was of the installation is not any more: deactivated, unknown, or of another organisation.
     * Asked of Slack in one attempt. @throws SlackError, and then nothing is known.
     */
    async hasLeft(userId: string): Promise<boolean> {
      // Slack keeps whoever is deactivated, and says so: this is nobody's id here. Of somebody whom the bot may not see it
      // says `user_not_visible`. Source: docs.slack.dev/reference/methods/users.info.
      const found = await unlessSlackFails(web.users.info({ user: userId }), ['user_not_found'])
      if (found === undefined) return true
      const { user } = found
      return user !== undefined && (user.deleted === true || (await isOfAnother(user)))
    },
    /** Anybody's full name, raw: it is what they change least. Undefined when Slack does not say. */
    nameOf: async (userId: string): Promise<string | undefined> => (await identityOf(userId))?.name,
    /** Anybody, in a line among other words, raw: `@alice (Alice Archer)`. Undefined when Slack does not say. */
    async inLine(userId: string): Promise<string | undefined> {
      const { handle, name = '' } = (await identityOf(userId)) ?? {}
      return personInLine({ handle, name }) || undefined
    },
  }
}

type User = NonNullable<UsersInfoResponse['user']>

function fullNameOf({ real_name, profile, name }: User): string | undefined {
  return real_name || profile?.display_name || name || undefined
}

/** The name people know somebody by: the handle (`name`) is a legacy of Slack's that it shows nowhere. */
function shownNameOf({ profile, real_name, name }: User): string {
  return firstReadable([profile?.display_name, profile?.real_name, real_name, name])
}

function isBot({ id, is_bot }: User): boolean {
  return is_bot === true || id === 'USLACKBOT'
}

/** Neither a guest nor a bot, and neither deactivated nor still invited. */
function isFullMember(user: User): boolean {
  const { deleted, is_restricted, is_ultra_restricted, is_invited_user } = user
  return !(isBot(user) || deleted || is_restricted || is_ultra_restricted || is_invited_user)
}

function isSameAddress(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/** What is known of somebody's workspace. On Enterprise Grid, Slack may name the organisation as their team. */
export interface Team {
  readonly teamId: string | undefined
  /** Of the team, not of the installation. */
  readonly enterpriseId: string | undefined
}

/**
 * Whether somebody of this team belongs to the installation: to its workspace, or to its organisation's other
 * workspaces. `unknown` where that takes knowing their organisation.
 * Source: docs.slack.dev/apis/slack-connect (external members) and docs.slack.dev/enterprise.
 */
export function belonging(
  installation: Installation,
  { teamId, enterpriseId }: Team,
): 'ours' | 'not-ours' | 'unknown' {
  const { enterpriseId: organisation } = installation
  if (teamId && teamId === installation.teamId) return 'ours'
  if (organisation === undefined) return 'not-ours'
  if (teamId === organisation || enterpriseId === organisation) return 'ours'
  return enterpriseId === undefined ? 'unknown' : 'not-ours'
}

/** As Slack describes them: with their organisation, when they have one. */
function isUserOurs(installation: Installation, user: User): boolean {
  const enterpriseId = user.enterprise_user?.enterprise_id
  if (enterpriseId !== undefined && enterpriseId === installation.enterpriseId) return true
  return !user.is_stranger && belonging(installation, { teamId: user.team_id, enterpriseId }) === 'ours'
}
