// Dave, who has access to container 12 or is to get it: what he has there, and how somebody changes or gives it.
import type { NewMember } from '../../playground/monitor/people.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { Flag } from '../../src/grant/roles.ts'
import type { World } from '../world.ts'

export const viewer: readonly Flag[] = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']

/** What somebody has on container 12 by now: Dave, unless another number is given. */
export const has = ({ service }: World, id = 9) =>
  service.membersOf(12).find((one) => one.id === id)?.permissions

/** Who is on container 12. */
export const ids = ({ service }: World) => service.membersOf(12).map(({ id }) => id)

/** Somebody makes him this in monitoring. */
export function daveIs({ service }: World, how: Partial<NewMember>): void {
  service.addMember(12, { id: 9, email: 'dave@example.com', ...how })
}

/** Dave, who reads #general as well. */
export function addDave({ slack, general }: World): Person {
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
  general.members.add(dave.id)
  return dave
}

/** Alice changes what Dave has, by a question that shows it so. */
export async function changes(
  { alice, general, slack }: World,
  what: string,
  shown: string | RegExp = '[Change access]',
): Promise<void> {
  await alice.types(`/grant change 12 dave@example.com ${what}`, general)
  await alice.presses('Change access', await alice.sees(shown, general))
  await alice.sees('✅ Changed', general)
  await slack.idle()
}

/** What people fill in so that he gets Viewer. */
export const viewerWish = { Container: '12', Email: 'dave@example.com', Role: 'Viewer' }
/** Likewise, to see the container and no more, and not for a time. */
export const readWish = {
  ...viewerWish,
  Ends: 'Never',
  Role: 'Custom',
  Viewing: ['View the container'],
}

/** Somebody grants it in the form behind a card. */
export async function grantsOn(
  person: Person,
  card: SeenMessage,
  fields: Readonly<Record<string, string | readonly string[] | boolean>>,
): Promise<void> {
  await person.presses('Grant access', card)
  await person.seesModal('Grant access')
  await person.submits({ fields })
}

/** Alice looks up “Disk full”; its card, as she sees it. */
export async function aliceLooksUp(
  { alice, general, service }: World,
  alert: { readonly containerId?: number } = {},
): Promise<SeenMessage> {
  service.addAlert({ ks: '5HkX', message: 'Disk full', ...alert })
  await alice.types('/alert 5HkX', general)
  return alice.sees('Disk full', general)
}
