// users.info, users.lookupByEmail, and who the bot itself is: auth.test.
import { Refused } from '../check/refused.ts'
import { type Json, text } from '../model/json.ts'
import type { Member } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Answer } from './method.ts'

export const usersInfo: Answer = (args, workspace) => {
  const member = workspace.members.get(text(args.user) ?? '')
  if (!member) throw new Refused('user_not_found')
  return { ok: true, user: userPayload(member, workspace) }
}

export const lookupByEmail: Answer = (args, workspace) => {
  const email = text(args.email)?.toLowerCase()
  const found = [...workspace.members.values()].find(
    (member) => !member.isBot && !member.isDeleted && member.email?.toLowerCase() === email,
  )
  if (!found) throw new Refused('users_not_found')
  return { ok: true, user: userPayload(found, workspace) }
}

export const authTest: Answer = (
  _args,
  { teamDomain, teamName, teamId, bot, enterprise, isOrgWide },
) => ({
  ok: true,
  url: `https://${teamDomain}.slack.com/`,
  team: teamName,
  user: bot.name,
  team_id: teamId,
  user_id: bot.userId,
  bot_id: bot.botId,
  ...(enterprise ? { enterprise_id: enterprise.id } : {}),
  is_enterprise_install: isOrgWide,
})

/** As users.info and the user_change event show somebody; the address only with its scope. */
export function userPayload(member: Member, workspace: Workspace): Json {
  const {
    id,
    name,
    realName,
    displayName,
    email,
    isBot,
    isGuest,
    isAdmin,
    isDeleted,
    teamId,
    enterpriseId,
  } = member
  const showsEmail = workspace.options.botScopes.includes('users:read.email') && !isBot
  const isForeign = isStranger(member, workspace)
  return {
    id,
    team_id: teamId,
    name,
    deleted: isDeleted,
    color: '9f69e7',
    real_name: realName,
    ...zonePayload(member.tz, workspace.options.clock()),
    profile: {
      real_name: realName,
      real_name_normalized: realName,
      display_name: displayName,
      display_name_normalized: displayName,
      team: teamId,
      ...(showsEmail && email !== undefined ? { email } : {}),
    },
    is_admin: isAdmin,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: isGuest,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    ...(isBot ? {} : { is_email_confirmed: member.isEmailConfirmed ?? true }),
    ...(isForeign ? { is_stranger: true } : {}),
    updated: Math.floor(workspace.options.clock() / 1000),
    ...(enterpriseId === undefined
      ? {}
      : {
          enterprise_user: {
            id,
            enterprise_id: enterpriseId,
            is_admin: isAdmin,
            is_owner: false,
            teams: [teamId],
          },
        }),
  }
}

/** @param at - Milliseconds since 1970: label and offset follow summer time. */
function zonePayload(tz: string, at: number): Json {
  const named = (timeZoneName: 'long' | 'longOffset') =>
    new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // `GMT+05:45`, or `GMT` alone.
  const offset = named('longOffset').slice('GMT'.length) || 'Z'
  return { tz, tz_label: named('long'), tz_offset: -Date.parse(`1970-01-01T00:00${offset}`) / 1000 }
}

/** Of another organisation. */
export function isStranger({ teamId, enterpriseId }: Member, workspace: Workspace): boolean {
  return (
    teamId !== workspace.teamId &&
    (enterpriseId === undefined || enterpriseId !== workspace.enterprise?.id)
  )
}
