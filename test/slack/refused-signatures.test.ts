// Refused signatures, as an operator sees them.
import { describe, expect, it } from 'vitest'
import { scrape } from '../metrics/scraped.ts'
import { type Forged, send } from '../signed-request.ts'
import { linesIn, openWorld, type World } from '../world.ts'

const minuteMs = 60_000
const otherSecret = '0123456789abcdef0123456789abcdef'

const help = ({ alice, slack, general }: World, text = 'help') =>
  String(
    new URLSearchParams({
      command: '/alert',
      text,
      user_id: alice.id,
      team_id: slack.teamId,
      channel_id: general.id,
      trigger_id: '1.2.3',
    }),
  )
const sendHelp = (world: World, how: Omit<Forged, 'body'> = {}) =>
  send(world, { body: help(world), ...how }).then(({ status }) => status)

const refused = async ({ url }: World, reason: string) =>
  (await scrape(url)).of(`bellhop_signatures_refused_total{reason="${reason}"}`)

describe('an operator whose SLACK_SIGNING_SECRET is not that of the app', () => {
  it('reads so in the log when the first request comes', async () => {
    const world = await openWorld({ isAliceConnected: false })
    for (let times = 0; times < 3; times += 1) {
      expect(await sendHelp(world, { secret: otherSecret })).toBe(401)
    }

    const told = linesIn(world.log, 'SLACK_SIGNING_SECRET is probably wrong')
    expect(told).toMatchObject([{ level: 'warn', reason: 'secret' }])
    expect(await refused(world, 'secret')).toBe(3)
  })

  it('reads once that requests are good again', async () => {
    const world = await openWorld({ isAliceConnected: false })
    await sendHelp(world, { secret: otherSecret })
    world.clock.advance(2 * minuteMs)

    for (let times = 0; times < 2; times += 1) expect(await sendHelp(world)).toBe(200)

    const over = linesIn(world.log, 'Slack’s requests are accepted again')
    expect(over).toMatchObject([{ level: 'warn' }])
    expect(over[0].lastedSeconds).toBeGreaterThanOrEqual(120)
  })
})

describe('an operator whose clock is wrong', () => {
  it.each([400, -400])('reads so in the log: %d s', async (ageSeconds) => {
    const world = await openWorld({ isAliceConnected: false })

    expect(await sendHelp(world, { ageSeconds })).toBe(401)

    const told = linesIn(world.log, 'this machine’s clock is more than five minutes off')
    expect(told).toMatchObject([{ level: 'warn', reason: 'clock' }])
    expect(await refused(world, 'clock')).toBe(1)
  })
})
