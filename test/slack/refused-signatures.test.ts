// Refused signatures, as an operator sees them: when Slack's requests are refused, and when it is only a stranger who
// knocks.
import { describe, expect, it } from 'vitest'
import { createSignatures } from '../../src/slack/inbound/signatures.ts'
import { keepLog } from '../keep-log.ts'
import { type Forged, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const otherSecret = '0123456789abcdef0123456789abcdef'
const unsigned = { 'x-slack-signature': '', 'x-slack-request-timestamp': '' }

const help = ({ alice, slack, general }: World, text = 'help') =>
  String(
    new URLSearchParams({
      ...{ command: '/alert', text, user_id: alice.id, team_id: slack.teamId, channel_id: general.id },
      trigger_id: '1.2.3',
    }),
  )
const sendHelp = (world: World, how: Omit<Forged, 'body'> = {}) =>
  send(world, { body: help(world), ...how }).then(({ status }) => status)

const lines = ({ log }: Pick<World, 'log'>, words: string) =>
  log.filter((line) => line.includes(words)).map((line) => JSON.parse(line))

async function figure({ url }: World, sample: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return Number(line?.slice(sample.length + 1))
}
const refused = (world: World, reason: string) =>
  figure(world, `bellhop_signatures_refused_total{reason="${reason}"}`)

const ready = async ({ url }: World) => (await fetch(`${url}/readyz`)).status

describe('an operator whose SLACK_SIGNING_SECRET is not that of the app', () => {
  it('reads so in the log when the first request comes, and once more with their number', async () => {
    const world = await openWorld({ isAliceConnected: false })
    for (const reason of ['secret', 'clock', 'headers']) expect(await refused(world, reason)).toBe(0)

    for (let times = 0; times < 3; times += 1) {
      expect(await sendHelp(world, { secret: otherSecret })).toBe(401)
    }

    const told = () => lines(world, 'SLACK_SIGNING_SECRET is probably wrong')
    expect(told()).toMatchObject([{ level: 'warn', refused: 1, reason: 'secret' }])
    world.clock.advance(minuteMs)
    expect(await sendHelp(world, { secret: otherSecret })).toBe(401)
    expect(told()).toMatchObject([{ refused: 1 }, { level: 'warn', refused: 3, reason: 'secret' }])
    expect(await refused(world, 'secret')).toBe(4)
  })

  it('keeps the bot behind its balancer, as a stranger can send such requests too', async () => {
    const world = await openWorld({ isAliceConnected: false })
    await expect.poll(() => ready(world)).toBe(200)

    for (let times = 0; times < 20; times += 1) await sendHelp(world, { secret: otherSecret })

    expect(await ready(world)).toBe(200)
  })

  it('reads once that requests are good again', async () => {
    const world = await openWorld({ isAliceConnected: false })
    await sendHelp(world, { secret: otherSecret })
    world.clock.advance(2 * minuteMs)

    for (let times = 0; times < 2; times += 1) expect(await sendHelp(world)).toBe(200)

    const over = lines(world, "Slack's requests are accepted again")
    expect(over).toMatchObject([{ level: 'warn', refused: 1 }])
    expect(over[0].lastedSeconds).toBeGreaterThanOrEqual(120)
  })
})

describe('an operator whose clock is wrong', () => {
  it.each([
    [400, 'ahead of'],
    [-400, 'behind'],
  ])('reads by how much it differs from Slack’s, and which way: %d s', async (ageSeconds, side) => {
    const world = await openWorld({ isAliceConnected: false })

    expect(await sendHelp(world, { ageSeconds })).toBe(401)

    const [told] = lines(world, `this machine's clock is`)
    expect(told).toMatchObject({ level: 'warn', refused: 1, reason: 'clock' })
    const [, seconds, found] = /clock is (\d+) seconds (ahead of|behind) Slack's/.exec(told.msg) ?? []
    expect(Math.abs(Number(seconds) - 400)).toBeLessThanOrEqual(2)
    expect(found).toBe(side)
    expect(await refused(world, 'clock')).toBe(1)
  })
})

/** Pauses end when the test says so. */
function withSignatures() {
  const { log, lines: written } = keepLog()
  const over: (() => void)[] = []
  let at = 1_800_000_000_000
  const signatures = createSignatures({ log, now: () => at, after: (_ms, work) => void over.push(work) })
  return {
    signatures,
    passes: (ms: number) => {
      at += ms
    },
    refuses(times: number) {
      for (let count = 0; count < times; count += 1) signatures.refused('secret')
    },
    pausesEnd: () => {
      for (const work of over.splice(0)) work()
    },
    told: () =>
      written.map((line) => {
        const { msg, refused: count } = JSON.parse(line)
        return `${msg.startsWith('requests to /slack/events are refused') ? 'refused' : 'good'} ${count}`
      }),
  }
}

describe('refused requests that begin again soon after good ones', () => {
  it('are told when the pause since the last warning is over, though no more come, and so is their end', () => {
    const { signatures, passes, refuses, pausesEnd, told } = withSignatures()
    signatures.accepted()
    refuses(3)
    signatures.accepted()
    passes(10_000)
    refuses(4)
    expect(told()).toEqual(['refused 3', 'good 3'])

    passes(minuteMs - 10_000)
    pausesEnd()

    expect(told()).toEqual(['refused 3', 'good 3', 'refused 4'])
    signatures.accepted()
    expect(told().at(-1)).toBe('good 4')
  })

  it('are not told when they are over before the pause is', () => {
    const { signatures, passes, refuses, pausesEnd, told } = withSignatures()
    signatures.accepted()
    refuses(3)
    signatures.accepted()
    refuses(4)
    signatures.accepted()
    passes(minuteMs)
    pausesEnd()

    expect(told()).toEqual(['refused 3', 'good 3'])
  })

  it('are told at once after ten good minutes, however long the pause had become, and it is a minute again', () => {
    const { signatures, passes, refuses, told } = withSignatures()
    for (let hour = 0; hour < 8; hour += 1) {
      passes(30 * minuteMs)
      refuses(1)
    }
    signatures.accepted()
    const before = told().length
    passes(10 * minuteMs)
    signatures.accepted()

    refuses(3)
    passes(minuteMs)
    refuses(1)

    expect(told().slice(before)).toEqual(['refused 3', 'refused 1'])
  })
})

describe('a stranger who sends requests', () => {
  it('without Slack’s headers leaves one line an hour that warns of nothing, and a figure', async () => {
    const world = await openWorld({ isAliceConnected: false })
    for (let times = 0; times < 2; times += 1) await sendHelp(world, { headers: unsigned })
    expect(lines(world, "without Slack's signature")).toEqual([])

    for (let times = 0; times < 28; times += 1) await sendHelp(world, { headers: unsigned })

    const told = lines(world, "without Slack's signature")
    expect(told).toMatchObject([{ level: 'info', refused: 3, reason: 'headers' }])
    expect(await refused(world, 'headers')).toBe(30)
  })

  it('with a signature of their own between good ones of Slack’s makes no warning', async () => {
    const world = await openWorld({ isAliceConnected: false })
    expect(await sendHelp(world)).toBe(200)

    for (let times = 0; times < 9; times += 1) {
      await sendHelp(world, { secret: otherSecret })
      if (times % 2 === 1) await send(world, { body: help(world, `help ${times}`) })
    }

    expect(lines(world, 'SLACK_SIGNING_SECRET')).toEqual([])
    expect(lines(world, 'somebody else sends those')).toMatchObject([{ level: 'info', reason: 'secret' }])
    expect(await refused(world, 'secret')).toBe(9)
  })

  it.each([1, 60, 1_000])('cannot flood the log, with a request every %d ms', (everyMs) => {
    const { log, lines: written } = keepLog()
    let at = 1_800_000_000_000
    const signatures = createSignatures({ log, now: () => at })
    const perHour = Math.min(hourMs / everyMs, 4_000)
    for (let hour = 0; hour < 24; hour += 1) {
      for (let times = 0; times < perHour; times += 1) {
        at += hourMs / perHour
        signatures.refused('secret')
        if (times % 7 === 6) signatures.accepted()
      }
    }
    // A handful while the pauses grow to an hour, then two an hour at most.
    expect(written.length).toBeGreaterThan(5)
    expect(written.length).toBeLessThan(70)
  })
})
