// Slack's side of the Home tab. Parses, publishes; decides nothing.
import { openLookUpForm } from '../alert/look-up.ts'
import type { House } from '../house.ts'
import { stopListed, stopWatching } from '../live/watching.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { Happened } from '../slack/routes.ts'
import { publishHome } from './home.ts'

/** The same event comes when somebody opens the direct message. */
export async function opened(
  house: House,
  { workspaceId, event }: Happened<'app_home_opened'>,
): Promise<void> {
  const { limit, people, scopes } = house.slack
  const { user: userId, tab } = event
  if (tab !== 'home' || !(await scopes.isOn('home'))) return
  // It shows what it showed a moment ago.
  if (limit.charge({ userId }) > 0) return
  if ((await people.writerOf(userId)).isStranger) return
  await publishHome(house, { workspaceId, userId })
}

/** *Look up again*: the form begins with the key. */
export function lookUpAgain(house: House, pressed: ActionRequest): Promise<void> {
  return openLookUpForm(house, pressed, pressed.value)
}

export async function forgetWho(house: House, { asker }: ActionRequest): Promise<void> {
  await house.storage.ownIds.forget(asker)
  await publishHome(house, asker)
}

export async function disconnect(house: House, { asker }: ActionRequest): Promise<void> {
  await house.tokens.forget(asker)
  await publishHome(house, asker)
}

/** *Stop watching* in a list: in the tab, or in a message, where the button is the same. */
export async function stopInList(house: House, pressed: ActionRequest): Promise<void> {
  if (pressed.view === undefined) return stopListed(house, pressed)
  try {
    await stopWatching(house, pressed)
  } finally {
    // Also when there was nothing to stop any more: then the list is older than that.
    await publishHome(house, pressed.asker)
  }
}
