import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'

/** Where a request gets lost, so that the test can deliver it itself. */
async function openVoid(): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(503).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

const postgres = await startPostgres()

describe.each([
  { count: 2, engine: 'SQLite file', options: async () => ({}) },
  {
    count: 3,
    engine: 'PostgreSQL database',
    options: async () => ({ databaseUrl: await postgres.createDatabase() }),
  },
])('$count processes on one $engine that get the same signed /grant at the same moment', (each) => {
  it('send one POST', async () => {
    const world = await openProcessWorld(await each.options())
    const { alice, general, service, slack } = world
    const nowhere = await openVoid()
    // Together: on an empty database, one of them makes its tables.
    const bots = await Promise.all(Array.from({ length: each.count }, () => world.start()))
    await world.connect()
    const people = ['erin', 'frank', 'grace', 'heidi', 'ivan', 'judy', 'mallory', 'niaj'].map(
      (name) => `${name}@example.com`,
    )

    for (const email of people) {
      service.addUser({ email })
      slack.deliverTo(nowhere)
      const lost = await alice.types(`/grant 12 ${email} viewer`, general)
      const delivered = bots.map(({ url }) => {
        slack.deliverTo(`${url}/slack/events`)
        return slack.redeliver(lost)
      })

      expect((await Promise.all(delivered)).map(({ outcome }) => outcome)).toEqual(bots.map(() => 'acked'))
      await alice.sees(new RegExp(`Granted.*${email}`, 's'), general)
      await slack.idle(200)
    }

    const posts = service.requests.filter(({ method }) => method === 'POST')
    expect(posts).toHaveLength(people.length)
    expect(service.membersOf(12)).toHaveLength(people.length)
  })

  it('send one POST for each of several people', async () => {
    const world = await openProcessWorld(await each.options())
    const { alice, general, service, slack } = world
    const nowhere = await openVoid()
    const bots = await Promise.all(Array.from({ length: each.count }, () => world.start()))
    await world.connect()
    service.trouble.slow(100)
    const people = Array.from({ length: 12 }, (_, index) => `p${index + 1}@example.com`)
    for (const email of people) service.addUser({ email })
    slack.deliverTo(nowhere)
    const line = `/grant 12 ${people.join(' ')} viewer`
    const lost = [await alice.types(line, general), await alice.types(line, general)]

    // Each process gets both: the same line was typed twice.
    const delivered = bots.flatMap(({ url }) => {
      slack.deliverTo(`${url}/slack/events`)
      return lost.map((one) => slack.redeliver(one))
    })
    expect((await Promise.all(delivered)).map(({ outcome }) => outcome)).not.toContain('failed')
    await alice.sees('12 of 12 granted', general)
    await alice.sees('You asked for the same a moment ago', general)
    await slack.idle(500)

    const posts = service.requests.filter(({ method }) => method === 'POST')
    expect(posts.map(({ body }) => Object(body).email).toSorted()).toEqual(people.toSorted())
    const told = alice.messages(general).filter(({ plain }) => plain.includes('12 of 12 granted'))
    expect(told).toHaveLength(1)
  })
})
