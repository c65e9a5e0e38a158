import type { SeenModal } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'

/** Opens the tab, and waits until it is published for this look. */
export async function looksAtHome(
  person: World['alice'],
  { slack }: Pick<World, 'slack'>,
): Promise<SeenModal> {
  const before = person.home?.view.hash
  await person.opensHome()
  return slack.workspace.changes.until(
    () => (person.home?.view.hash === before ? undefined : person.home),
    5000,
    () => `${person.name} has no fresh Home tab, but:\n${person.home?.plain}`,
  )
}
