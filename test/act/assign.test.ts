// Assigning from a card: to whoever presses, to somebody they choose, and what is said when others were quicker.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { bobToken, openWorld, type World, type WorldOptions } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, containerId: 12, assetId: 34 } as const
const alertUrl =
  'https://monitoring.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'
/** Links of the service name the alert's container. */
const linked = { env: { MONITOR_ALERT_URL: alertUrl } }

/** Everybody is a member of container 12. */
async function onCall(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options)
  for (const [email, mute] of [
    ['alice@example.com', false],
    ['bob@example.com', false],
    ['dave@example.com', true],
  ] as const) {
    world.service.addMember(12, email, { member: true, mute })
  }
  return world
}

function writes({ service }: World) {
  return service.requests.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])
}

/** A card of the alert, for everybody in the channel. */
async function cardOf({ alice, general }: World): Promise<SeenMessage> {
  await alice.types('/alert 5HkX', general)
  return alice.sees('Disk full', general)
}

async function says(person: Person, { general }: World, words: string | RegExp): Promise<string> {
  const answer = await person.sees(words, general)
  expect(answer.isEphemeral).toBe(true)
  return answer.plain
}
