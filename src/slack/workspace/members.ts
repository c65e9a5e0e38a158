// Who belongs to an installation: the people of its workspace, and of its organisation's other workspaces.
// Source: docs.slack.dev/apis/slack-connect (external members) and docs.slack.dev/enterprise.
import type { UsersInfoResponse } from '@slack/web-api'
import type { Installation } from './installation.ts'

/** What is known of somebody's workspace. On Enterprise Grid, Slack may name the organisation as their team. */
export interface Team {
  readonly teamId: string | undefined
  /** Of the team, not of the installation. */
  readonly enterpriseId: string | undefined
}

/** Whether somebody of this team belongs to the installation; `unknown` where that takes knowing their organisation. */
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

type User = NonNullable<UsersInfoResponse['user']>

/** As Slack describes them: with their organisation, when they have one. */
export function isUserOurs(installation: Installation, user: User): boolean {
  const enterpriseId = user.enterprise_user?.enterprise_id
  if (enterpriseId !== undefined && enterpriseId === installation.enterpriseId) return true
  return !user.is_stranger && belonging(installation, { teamId: user.team_id, enterpriseId }) === 'ours'
}
