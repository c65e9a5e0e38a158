// Acts on alerts that come to several processes at once, as Slack may bring the same command to each: one request.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
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

describe.each([
  { count: 2, engine: 'SQLite file', options: async () => ({}) },
  {
    count: 3,
    engine: 'PostgreSQL database',
    options: async () => ({ databaseUrl: await postgres.createDatabase() }),
  },
])('$count processes on one $engine', (each) => {
  it('send one request for the same signed command, though each of them gets it twice', async () => {
    const world = await openProcessWorld(await each.options())
    const { alice, general, service, slack } = world
    service.revoke(aliceToken)
    const flags = ['API', 'READ', 'ALERT_ASSIGN', 'ALERT_CHANGE'] as const
    service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags: [...flags] })
    service.addMember(12, { email: 'bob@example.com', id: 8, member: true })
    const nowhere = await openVoid()
    // What comes again is charged as well, and comes six times here.
    const start = () => world.start({ RATE_PER_MINUTE: '0' })
    const bots = await Promise.all(Array.from({ length: each.count }, start))
    await world.connect()
    const keys = ['k1', 'k2', 'k3', 'k4']

    for (const ks of keys) {
      service.addAlert({ ks, message: 'Disk full', containerId: 12 })
      for (const [line, told] of [
        [`/alert assign ${ks} 8 "Yours."`, new RegExp(`Assigned.*“${ks}”`)],
        [`/alert comment ${ks} "Looking."`, `Commented on alert “${ks}”`],
        [`/alert close ${ks} "Rotated the logs."`, `Closed: alert “${ks}”`],
      ] as const) {
        slack.deliverTo(nowhere)
        const lost = await alice.types(line, general)
        const delivered = [...bots, ...bots].map(({ url }) => {
          slack.deliverTo(`${url}/slack/events`)
          return slack.redeliver(lost)
        })
        await Promise.all(delivered)
        await alice.sees(told, general)
      }
    }
    await slack.idle(500)

    const puts = service.requests.filter(({ method }) => method === 'PUT').map(({ path }) => path)
    const operations = ['assign', 'message', 'close']
    expect(puts).toEqual(keys.flatMap((ks) => operations.map((operation) => `/alert/${ks}/${operation}`)))
    for (const ks of keys) expect(service.alert(ks)?.actions).toHaveLength(3)
    const acts = (await actsOf(world)).filter((act) => !act.startsWith('connect') && !act.startsWith('look'))
    expect(acts).toEqual(keys.flatMap(() => ['assign done', 'comment done', 'close done']))
    const told = alice.messages(general).filter(({ plain }) => /Assigned|Commented|Closed/.test(plain))
    expect(told).toHaveLength(3 * keys.length)
    expect(alice.messages(alice.dm)).toEqual([])
  }, 300_000)
})
