// Tools for tests of what follows an act: a card, and comments and closings on it.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'

export const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, containerId: 12 } as const

/** A card of Alice’s, and all that comes with it. */
export async function aliceCard(
  { alice, general, slack }: World,
  line = '/alert 5HkX',
  channel: Channel = general,
): Promise<SeenMessage> {
  await alice.types(line, channel)
  const card = await alice.sees('Disk full', channel)
  await slack.idle()
  return card
}

/** Resolves once the form is sent. */
export async function commentsOn(card: SeenMessage, person: Person, Comment: string): Promise<void> {
  await person.presses('Comment', card)
  await person.seesModal('Comment on alert')
  await person.submits({ fields: { Comment } })
}

/** Likewise. */
export async function closesOn(
  card: SeenMessage,
  person: Person,
  words = 'Old logs removed.',
): Promise<void> {
  await person.presses('Close alert', card)
  await person.seesModal('Close alert')
  await person.submits({ fields: { 'What fixed it?': words } })
}
