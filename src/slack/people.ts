// Who a mentioned person is, from their profile in Slack.
import type { WebClient } from '@slack/web-api'
import { UserError } from '../errors.ts'
import type { Installed } from './installation.ts'
import { isOurs } from './installation.ts'
import type { Patiently } from './patience.ts'
import { isSlackFailure, refusalOf } from './refusals.ts'

export interface Profile {
  readonly email: string
  /** Raw. */
  readonly name: string
  readonly isGuest: boolean
}

export interface People {
  /**
   * The profile of somebody who can be given access.
   * @throws UserError for bots, deactivated people, people of other organisations, and where no address is shown.
   */
  profileOf(userId: string): Promise<Profile>
  /** Whose address this is, as far as Slack says so. */
  idOf(email: string): Promise<string | undefined>
}

export function createPeople(web: WebClient, installed: Installed, patiently: Patiently): People {
  return {
    async profileOf(userId) {
      const user = await patiently(() => readUser(web, userId))
      const name = user.profile?.display_name || user.real_name || user.name || userId
      const from = { teamId: user.team_id, enterpriseId: user.enterprise_user?.enterprise_id }
      if (user.is_bot || userId === 'USLACKBOT')
        throw new UserError(`${name} is a bot and cannot be given access.`)
      if (user.deleted)
        throw new UserError(`${name} is deactivated in Slack. If that is a mistake, type the address.`)
      if (user.is_stranger || !isOurs(await installed.installation(), from)) {
        throw new UserError(`${name} belongs to another organisation. If that is wanted, type the address.`)
      }
      const email = user.profile?.email
      if (!email) throw new UserError(`Slack does not show an address for ${name}. Type the address instead.`)
      return { email, name, isGuest: Boolean(user.is_restricted || user.is_ultra_restricted) }
    },
    async idOf(email) {
      try {
        return (await patiently(() => web.users.lookupByEmail({ email }))).user?.id
      } catch (error) {
        if (isSlackFailure(error)) return undefined
        throw error
      }
    },
  }
}

async function readUser(web: WebClient, userId: string) {
  try {
    const { user } = await web.users.info({ user: userId })
    if (user) return user
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== 'user_not_found' && refusal !== 'user_not_visible') throw error
  }
  throw new UserError('Slack does not know that person. Type the address instead.')
}
