// Approvals with real processes on one database: of two who approve at the same moment, one does.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'

const postgres = await startPostgres()

async function openColleagues(options: { readonly databaseUrl?: string }) {
  const world = await openProcessWorld(options)
  const { slack, service, general } = world
  const [bob, carol] = ['bob', 'carol'].map((name) => {
    const person = slack.addPerson({ name, email: `${name}@example.com` })
    general.members.add(person.id)
    return person
  })
  if (bob === undefined || carol === undefined) throw new Error('nobody is there')
  service.addToken({ token: 'bob-token', name: 'bob', flags: ['API', 'READ'] })
  service.addToken({ token: 'carol-token', name: 'carol', flags: ['API', 'CONTAINER_ACCESS'] })
  return {
    ...world,
    bob,
    carol,
    async connectAll() {
      await world.connect()
      await world.connect(bob, 'bob-token')
      await world.connect(carol, 'carol-token')
    },
    /** Bob's request for somebody, as everybody sees it. */
    async asked(email: string) {
      await bob.types(`/grant 12 ${email} viewer`, general)
      const refused = await bob.sees(new RegExp(`Not granted.*${email}`, 's'), general)
      await bob.presses('Ask for approval', refused)
      await bob.seesModal('Ask for approval')
      await bob.submits({ fields: { Reason: 'On call' } })
      return carol.sees(new RegExp(`^🔑.*${email}`, 's'), general)
    },
    grantsSent: () => service.requests.filter(({ method, token }) => method === 'POST' && token !== 'bob'),
  }
}

describe.each([
  { engine: 'SQLite file', options: async () => ({}) },
  { engine: 'PostgreSQL database', options: async () => ({ databaseUrl: await postgres.createDatabase() }) },
])('two processes on one $engine', ({ options }) => {
  it('that get Approve of two people at the same moment send one POST', async () => {
    const world = await openColleagues(await options())
    const { alice, bob, carol, general, service, slack } = world
    const bots = await Promise.all([world.start(), world.start()])
    await world.connectAll()
    const people = ['erin', 'frank', 'grace', 'heidi'].map((name) => `${name}@example.com`)

    for (const [index, email] of people.entries()) {
      service.addUser({ email })
      const card = await world.asked(email)
      const pressing = [alice, carol].map((person: Person, which) => {
        slack.deliverTo(`${bots[(which + index) % 2]?.url}/slack/events`)
        return person.presses('Approve', card)
      })
      expect((await Promise.all(pressing)).map(({ outcome }) => outcome)).toEqual(['acked', 'acked'])
      await bob.sees(new RegExp(`✅ Granted by.*${email}`, 's'), bob.dm)
      await slack.idle(200)
      expect(card.plain).toMatch(/^✅ Granted by (alice|carol)/)
      const beaten = () =>
        [
          ...`${alice.screen(general)}${carol.screen(general)}`.matchAll(
            /(granting now|ed by (alice|carol))\./g,
          ),
        ].length
      await expect.poll(beaten, { timeout: 30_000 }).toBe(index + 1)
    }

    expect(world.grantsSent()).toHaveLength(people.length)
    expect(service.membersOf(12)).toHaveLength(people.length)
    expect(bob.messages(bob.dm)).toHaveLength(people.length)
  }, 300_000)
})
