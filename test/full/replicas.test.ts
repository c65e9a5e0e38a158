// Several processes on one database: the same signed command at each of them, as Slack may bring it, and two people who
// approve at the same moment. One write at the service.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../playground/slack/model/model.ts'
import { actsOf } from '../audit/read.ts'
import { aliceToken, openProcessWorld } from '../playground-world.ts'
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

async function openReplicas(count: number, options: { readonly databaseUrl?: string }) {
  const world = await openProcessWorld(options)
  const { alice, general, service, slack } = world
  service.revoke(aliceToken)
  const flags = ['API', 'READ', 'CONTAINER_ACCESS', 'ALERT_ASSIGN', 'ALERT_CHANGE'] as const
  service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags: [...flags] })
  service.addMember(12, { email: 'bob@example.com', id: 8, member: true })
  const nowhere = await openVoid()
  // Together: on an empty database, one of them makes its tables. What comes again is charged as well.
  const bots = await Promise.all(Array.from({ length: count }, () => world.start({ RATE_PER_MINUTE: '0' })))
  await world.connect()
  return {
    ...world,
    bots,
    /** Types it where it gets lost. */
    types(line: string): Promise<Delivery> {
      slack.deliverTo(nowhere)
      return alice.types(line, general)
    },
    /** Brings it to each process. */
    async bring(...lost: readonly Delivery[]): Promise<void> {
      const delivered = bots.flatMap(({ url }) => {
        slack.deliverTo(`${url}/slack/events`)
        return lost.map((one) => slack.redeliver(one))
      })
      expect(new Set((await Promise.all(delivered)).map(({ outcome }) => outcome))).toEqual(
        new Set(['acked']),
      )
    },
    sent: (method: 'POST' | 'PUT') => service.requests.filter((request) => request.method === method),
  }
}

describe.each([
  { count: 2, engine: 'SQLite file', options: async () => ({}) },
  {
    count: 3,
    engine: 'PostgreSQL database',
    options: async () => ({ databaseUrl: await postgres.createDatabase() }),
  },
])('$count processes on one $engine', ({ count, options }) => {
  it('that get the same /grant send one POST for each person', async () => {
    const { alice, bring, general, sent, service, slack, types } = await openReplicas(count, await options())
    const people = ['erin', 'frank', 'grace', 'heidi'].map((name) => `${name}@example.com`)
    for (const email of people) {
      service.addUser({ email })
      await bring(await types(`/grant 12 ${email} viewer`))
      await alice.sees(new RegExp(`Granted.*${email}`, 's'), general)
    }

    // For several people, and each process gets the line that was typed twice.
    service.trouble.slow(100)
    const several = Array.from({ length: 12 }, (_, index) => `p${index + 1}@example.com`)
    for (const email of several) service.addUser({ email })
    const line = `/grant 12 ${several.join(' ')} viewer`
    await bring(await types(line), await types(line))
    await alice.sees('12 of 12 granted', general)
    await alice.sees('You asked for the same a moment ago', general)
    await slack.idle(500)

    const asked = sent('POST').map(({ body }) => Object(body).email)
    expect(asked.toSorted()).toEqual([...people, ...several].toSorted())
    const told = alice.messages(general).filter(({ plain }) => plain.includes('12 of 12 granted'))
    expect(told).toHaveLength(1)
  }, 300_000)

  it('that get the same act twice each send one request', async () => {
    const world = await openReplicas(count, await options())
    const { alice, bring, general, service, slack, types } = world
    const keys = ['k1', 'k2']
    for (const ks of keys) {
      service.addAlert({ ks, message: 'Disk full', containerId: 12 })
      for (const [line, told] of [
        [`/alert assign ${ks} 8 "Yours."`, new RegExp(`Assigned.*“${ks}”`)],
        [`/alert comment ${ks} "Looking."`, `Commented on alert “${ks}”`],
        [`/alert close ${ks} "Rotated the logs."`, `Closed: alert “${ks}”`],
      ] as const) {
        const lost = await types(line)
        await bring(lost, lost)
        await alice.sees(told, general)
      }
    }
    await slack.idle(500)

    const operations = ['assign', 'message', 'close']
    const paths = keys.flatMap((ks) => operations.map((operation) => `/alert/${ks}/${operation}`))
    expect(world.sent('PUT').map(({ path }) => path)).toEqual(paths)
    for (const ks of keys) expect(service.alert(ks)?.actions).toHaveLength(3)
    const acts = (await actsOf(world)).filter((act) => !act.startsWith('connect') && !act.startsWith('look'))
    expect(acts).toEqual(keys.flatMap(() => ['assign done', 'comment done', 'close done']))
    const told = alice.messages(general).filter(({ plain }) => /Assigned|Commented|Closed/.test(plain))
    expect(told).toHaveLength(3 * keys.length)
    expect(alice.messages(alice.dm)).toEqual([])
  }, 300_000)

  it('that get Approve of two people at the same moment send one POST', async () => {
    const { alice, bots, connect, general, sent, service, slack } = await openReplicas(count, await options())
    const [bob, carol] = ['bob', 'carol'].map((name) =>
      slack.addPerson({ name, email: `${name}@example.com` }),
    )
    if (bob === undefined || carol === undefined) throw new Error('nobody is there')
    for (const { id } of [bob, carol]) general.members.add(id)
    service.addToken({ token: 'bob-token', name: 'bob', flags: ['API', 'READ'] })
    service.addToken({ token: 'carol-token', name: 'carol', flags: ['API', 'CONTAINER_ACCESS'] })
    await connect(bob, 'bob-token')
    await connect(carol, 'carol-token')
    const people = ['erin', 'frank', 'grace'].map((name) => `${name}@example.com`)

    for (const [index, email] of people.entries()) {
      service.addUser({ email })
      await bob.types(`/grant 12 ${email} viewer`, general)
      await bob.presses('Ask for approval', await bob.sees(new RegExp(`Not granted.*${email}`, 's'), general))
      await bob.seesModal('Ask for approval')
      await bob.submits({ fields: { Reason: 'On call' } })
      const card = await carol.sees(new RegExp(`^🔑.*${email}`, 's'), general)
      const pressing = [alice, carol].map((person, which) => {
        slack.deliverTo(`${bots[(which + index) % bots.length]?.url}/slack/events`)
        return person.presses('Approve', card)
      })
      expect((await Promise.all(pressing)).map(({ outcome }) => outcome)).toEqual(['acked', 'acked'])
      await bob.sees(new RegExp(`✅ Granted by.*${email}`, 's'), bob.dm)
      // Whoever was slower may have drawn an older state, for a moment.
      await expect.poll(() => card.plain).toMatch(/^✅ Granted by (alice|carol)/)
      const beaten = () =>
        `${alice.screen(general)}${carol.screen(general)}`.match(/(granting now|ed by (alice|carol))\./g)
      await expect.poll(beaten, { timeout: 30_000 }).toHaveLength(index + 1)
    }

    expect(sent('POST').filter(({ token }) => token !== 'bob')).toHaveLength(people.length)
    expect(service.membersOf(12).filter(({ email }) => people.includes(String(email)))).toHaveLength(3)
    expect(bob.messages(bob.dm)).toHaveLength(people.length)
  }, 300_000)
})
