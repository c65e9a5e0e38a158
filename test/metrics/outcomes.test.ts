// Outcomes as they are, in the figures and in the log's line: nobody who was refused, asked to connect, or left in doubt
// counts as answered; and what came late counts too.
import { afterAll, describe, expect, it } from 'vitest'
import { asked, openColleagues } from '../approval/colleagues.ts'
import { openSeveral } from '../grant/several-world.ts'
import { openWorld, type World } from '../world.ts'
import { granted, grantsAt, requestsAt, scrape } from './scraped.ts'

const line = '/grant 12 dave@example.com viewer'
const patient = { timeout: 30_000 }
const minutes = 60_000
const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']

/** Outcomes of the requests that are done, as the log has them. */
function loggedOutcomes({ log }: World, kind: string, about: string): readonly unknown[] {
  const lines = log.map((one): Record<string, unknown> => JSON.parse(one))
  const handled = lines.filter(
    (one) => one.msg === 'handled' && one.kind === kind && one.about === about,
  )
  return handled.map(({ outcome }) => outcome)
}

describe('a grant to several people', () => {
  it.each([
    [[204, 204, 204], 'ok'],
    [[204, 400, 204], 'partly'],
    [[204, 400, 500], 'uncertain'],
    [[400, 400, 400], 'service-bad-request'],
  ])(
    'counts each of them, and the request as what became of all: %j is %s',
    async (statuses, outcome) => {
      const { world, line, emails } = await openSeveral(3)
      const { alice, general, service, url } = world
      for (const status of statuses)
        if (status !== 204) service.trouble.answer(status, { times: 1 })
      await alice.types(line, general)
      await alice.sees(/of 3 granted|Not certain/, general)

      await expect
        .poll(() => requestsAt(url, 'grant'), patient)
        .toEqual({ [`command ${outcome}`]: 1 })
      const figures = await grantsAt(url)
      const count = (status: number) => statuses.filter((one) => one === status).length
      const expected: Record<string, number> = {
        [granted('done', 'none', 'at_once')]: count(204),
        [granted('not-done', 'bad-request', 'at_once')]: count(400),
        [granted('uncertain', 'server-error', 'at_once')]: count(500),
      }
      expect(figures).toEqual(
        Object.fromEntries(Object.entries(expected).filter(([, value]) => value > 0)),
      )
      expect(emails).toHaveLength(3)
    },
  )

  it('counts nobody once more when a look settles what was not certain', async () => {
    const { world, line } = await openSeveral(3)
    const { alice, general, service, slack, url } = world
    service.trouble.answer(500, { times: 1 })
    await alice.types(line, general)
    const receipt = await alice.sees('2 of 3 granted', general)
    const counted = {
      [granted('done', 'none', 'at_once')]: 2,
      [granted('uncertain', 'server-error', 'at_once')]: 1,
    }
    await expect.poll(() => grantsAt(url), patient).toEqual(counted)
    service.addMember(12, { email: 'p1@example.com', permissions: viewer, member: false })

    await alice.presses('Look again', receipt)

    await alice.sees('3 of 3 granted', general)
    await slack.idle()
    expect(await grantsAt(url)).toEqual(counted)
  })
})

describe('somebody without an account', () => {
  it('who is asked to connect counts as asked to connect, for an alert and for a grant', async () => {
    const world = await openWorld()
    const { bob, general, url } = world
    await bob.types('/alert 5HkX', general)
    await bob.sees('Connect', general)
    await bob.types(line, general)
    await bob.sees('To do this', general)

    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ 'command connect': 1 })
    await expect
      .poll(() => requestsAt(url, 'alert'), patient)
      .toMatchObject({ 'command connect': 1 })
    expect(loggedOutcomes(world, 'command', 'alert')).toContain('connect')
    expect(await grantsAt(url)).toEqual({})
  })
})

describe('a request for approval', () => {
  it('counts a grant that a colleague has to approve first as that, and nobody as granted', async () => {
    const world = await openWorld({ env: { APPROVAL_FLAGS: 'WEBHOOKS' } })
    const { alice, general, url } = world
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    await alice.sees('Not sent yet', general)

    await expect
      .poll(() => requestsAt(url, 'grant'), patient)
      .toEqual({ 'command needs-approval': 1 })
    expect(loggedOutcomes(world, 'command', 'grant')).toEqual(['needs-approval'])
    expect(await grantsAt(url)).toEqual({})
  })

  it('counts the grant for who approves it, once, as what became of it', async () => {
    const world = await openColleagues()
    const { bob, carol, general, url } = world
    const card = await asked(world)
    expect(await grantsAt(url)).toEqual({ [granted('not-done', 'forbidden', 'at_once')]: 1 })
    await carol.presses('Approve', card)
    await bob.sees('✅ Granted by carol', bob.dm)
    await carol.sees(/^✅ Granted by carol/, general)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({
        [granted('not-done', 'forbidden', 'at_once')]: 1,
        [granted('done', 'none', 'at_once')]: 1,
      })
  })
})

describe('an outcome that could not be told at once', () => {
  /** Slack took the outcome neither as an answer nor as a direct message. */
  async function isNotTold({ slack }: World): Promise<void> {
    await expect
      .poll(() => slack.calls.filter(({ method }) => method === 'chat.postMessage'))
      .toHaveLength(1)
    await slack.idle()
  }

  function failToTell({ slack, expectRefusals }: World): void {
    expectRefusals()
    slack.trouble.fail('response_url', { status: 500 }, { times: 1 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
  }

  it('counts as told late, once, by whichever process tells it', async () => {
    const world = await openWorld()
    const { alice, general, clock, slack } = world
    failToTell(world)
    await alice.types(line, general)
    await isNotTold(world)
    expect(await grantsAt(world.url)).toEqual({})
    await world.restart()
    await alice.sees('✅ Granted', alice.dm)

    const late = { [granted('done', 'none', 'late')]: 1 }
    await expect.poll(() => grantsAt(world.url), patient).toEqual(late)
    clock.advance(10 * minutes)
    await slack.idle(100)
    expect(await grantsAt(world.url)).toEqual(late)
  })
})

describe('what Slack refuses', async () => {
  const world = await openWorld({ until: afterAll })
  const { alice, service, slack, url } = world
  world.expectRefusals()
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const refusals = async (word: string) =>
    (await scrape(url)).counted('bellhop_slack_refusals_total')[`{word="${word}"}`] ?? 0

  it.each(['invalid_auth', 'not_in_channel', 'invalid_blocks', 'something_new'])(
    'counts by its own word: %s',
    async (error) => {
      slack.trouble.fail('chat.postMessage', { error }, { times: 1 })
      await alice.types(
        '/alert 5HkX',
        slack.addChannel({ name: error, members: [alice], botIsMember: true }),
      )

      await expect.poll(() => refusals(error), patient).toBe(1)
      await slack.idle()
      expect(await refusals(error)).toBe(1)
    },
  )
})
