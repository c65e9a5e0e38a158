// Whom an interaction is of, as Slack names them.
import type { Person } from '../../playground/slack/person/person.ts'
import type { World } from '../world.ts'

/** Alice, unless somebody else is named. */
export const from = (
  { slack, alice }: Pick<World, 'slack' | 'alice'>,
  { id }: Pick<Person, 'id'> = alice,
) => ({
  team: { id: slack.teamId },
  user: { id, username: id, team_id: slack.teamId },
})
