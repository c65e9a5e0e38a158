import { describe, expect, it, onTestFinished } from 'vitest'
import { createMonitor } from '../../src/monitor/client.ts'
import { createOutage, type OutageCause, outageCauses } from '../../src/monitor/failures.ts'
import { keepLog } from '../keep-log.ts'
import { scrape } from '../metrics/scraped.ts'
import { diskFull, linesIn, openWorld, type World } from '../world.ts'
import { startSocketServer } from './setup.ts'
import { startTls } from './start-tls.ts'

const began = 'the monitoring service can’t be reached'
const ended = 'the monitoring service answers again'

/** The causes whose gauge is up. */
const figures = async ({ url }: World) => (await scrape(url)).counted('bellhop_service_unreachable')
const of = (cause: OutageCause) => ({ [`{cause="${cause}"}`]: 1 })

async function looksUp({ alice, general, clock, slack }: World, times: number): Promise<void> {
  for (let asked = 0; asked < times; asked += 1) {
    const before = alice.messages(general).length
    await alice.types('/alert 5HkX', general)
    await slack.workspace.changes.until(
      () => alice.messages(general).length > before || undefined,
      5_000,
      () => 'alice has no answer',
    )
    clock.advance(6_000)
  }
}

/** A client with a clock of its own, for an address where something is amiss. */
function client(apiUrl: string, options: { readonly budgetMs?: number } = {}) {
  const clock = { now: 1_800_000_000_000 }
  const { log, lines } = keepLog()
  const outage = createOutage({ log, now: () => clock.now })
  const monitor = createMonitor({ apiUrl, budgetMs: 1_000, retryDelayMs: 1, outage, ...options })
  onTestFinished(() => monitor.close())
  async function reads(times: number) {
    for (let asked = 0; asked < times; asked += 1) {
      await monitor.readAlert('token', '5HkX', 2).catch(() => undefined)
      clock.now += 5_000
    }
  }
  return { monitor, outage, clock, lines, reads }
}

describe('an outage of the service', () => {
  it('is one warning when it begins and one when it ends, however many ask; and a gauge meanwhile', async () => {
    const world = await openWorld()
    const { service, log } = world
    service.addAlert(diskFull)
    const gauges = (await scrape(world.url)).series('bellhop_service_unreachable')
    expect([gauges.length, await figures(world)]).toEqual([outageCauses.length, {}])
    service.trouble.answer(503)

    await looksUp(world, 5)

    expect(linesIn(log, began)).toMatchObject([{ level: 'warn', cause: 'fault', code: '503' }])
    expect(await figures(world)).toEqual(of('fault'))
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
    service.trouble.clear()
    await looksUp(world, 2)
    expect(linesIn(log, ended)).toMatchObject([
      { level: 'warn', lastedSeconds: expect.any(Number) },
    ])
    expect(linesIn(log, ended)[0].lastedSeconds).toBeGreaterThanOrEqual(18)
    expect(linesIn(log, began)).toHaveLength(1)
    expect(await figures(world)).toEqual({})
  })
})

describe('an outage', () => {
  it('is noticed by grants that are lost, too', async () => {
    const world = await openWorld()
    const { alice, general, service, slack, clock } = world
    service.trouble.cut({ when: 'after-effect', times: Number.POSITIVE_INFINITY })

    for (const name of ['dave', 'erin']) {
      await alice.types(`/grant 12 ${name}@example.com viewer`, general)
      await slack.idle()
      clock.advance(6_000)
    }

    expect(await figures(world)).toEqual(of('connection'))
  })
})

describe('what is no outage', () => {
  it('is one call that fails, with all its tries', async () => {
    const { lines, reads, outage } = client('http://127.0.0.1:1')

    await reads(1)

    expect(lines).toEqual([])
    expect(outage.state()).toBeUndefined()
  })

  it('is a service that refuses the token, or is busy (429)', async () => {
    const world = await openWorld()
    world.service.trouble.answer(429)

    await looksUp(world, 3)

    expect(linesIn(world.log, began)).toEqual([])
  })
})

describe('the cause of an outage', () => {
  it.each<[OutageCause, () => Promise<string>]>([
    ['refused', async () => 'http://127.0.0.1:1'],
    ['dns', async () => 'https://nowhere.invalid'],
    ['certificate', async () => (await startTls()).url],
    ['timeout', async () => `http://${await startSocketServer(() => undefined)}`],
    ['connection', async () => `http://${await startSocketServer((socket) => socket.destroy())}`],
  ])('is %s', async (cause, at) => {
    const { reads, lines, outage } = client(await at(), {
      budgetMs: cause === 'timeout' ? 60 : 1_000,
    })

    await reads(3)

    expect(outage.state()?.cause).toBe(cause)
    expect(linesIn(lines, began)).toMatchObject([
      { cause, msg: expect.stringContaining('MONITOR_CA_FILE') },
    ])
  })
})
