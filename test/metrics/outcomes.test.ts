// Outcomes as they are, in the figures and in the log's line: nobody who was refused, asked to connect, or left in doubt
// counts as answered; and what came late counts too.
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { sqlitePath } from '../../src/storage/sqlite/file.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { asked, openColleagues } from '../approval/colleagues.ts'
import { openSeveral, posts } from '../grant/several-world.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import { granted, grantsAt, requestsAt, scrape } from './scraped.ts'

const line = '/grant 12 dave@example.com viewer'
const patient = { timeout: 30_000 }
const minutes = 60_000

/** Outcomes of the requests that are done, as the log has them. */
function loggedOutcomes({ log }: World, kind: string, about: string): readonly unknown[] {
  const lines = log.map((one): Record<string, unknown> => JSON.parse(one))
  const handled = lines.filter((one) => one.msg === 'handled' && one.kind === kind && one.about === about)
  return handled.map(({ outcome }) => outcome)
}

describe('a bot that has just started', () => {
  it('shows every series of its counters at 0, before anybody has asked for anything', async () => {
    const { url } = await openWorld({ isAliceConnected: false })
    const figures = await scrape(url)
    const codes = ['bad-request', 'refused', 'forbidden', 'not-found', 'busy', 'unreachable']
    const doubts = ['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped']
    const asks = ['ok', 'user-error', 'connect', 'limited', 'busy', 'replayed', 'failed']
    const services = codes.map((code) => `service-${code}`)
    const outcomesAbout = {
      alert: [...asks, ...services, 'service-malformed'],
      act: [
        ...[...asks, ...services, 'service-malformed', 'service-changed', 'service-no-operation'],
        'uncertain',
      ],
      grant: [...asks, ...services, 'uncertain', 'partly', 'needs-approval'],
      none: ['ok', 'failed'],
    }
    const kinds = ['command', 'press', 'submission', 'shortcut', 'suggestion', 'event']
    const ofSuggestions = ['ok', 'limited', 'busy', 'failed']
    const expected = [
      ...['at_once', 'late'].flatMap((told) =>
        [
          ['granted', 'none'] as const,
          ...codes.map((code) => ['not_granted', code] as const),
          ...doubts.map((doubt) => ['uncertain', doubt] as const),
          ['not_sent', 'none'] as const,
        ].map(([outcome, reason]) => `bellhop_grants_total${granted(outcome, reason, told)}`),
      ),
      ...['token', 'place', 'gone', 'scope', 'input', 'passing', 'other'].map(
        (kind) => `bellhop_slack_refusals_total{kind="${kind}"}`,
      ),
      ...Object.entries(outcomesAbout).flatMap(([about, outcomes]) =>
        [...kinds, ...(about === 'none' ? ['other'] : [])].flatMap((kind) =>
          outcomes
            .filter((outcome) => kind !== 'suggestion' || ofSuggestions.includes(outcome))
            .map((outcome) => `bellhop_requests_total{kind="${kind}",about="${about}",outcome="${outcome}"}`),
        ),
      ),
      ...['at_once', 'late'].flatMap((told) =>
        ['assign', 'comment', 'close'].flatMap((kind) =>
          ['done', 'already', 'by_another', 'not_done', 'not_seen', 'uncertain', 'not_sent'].map(
            (verdict) => `bellhop_acts_total{kind="${kind}",verdict="${verdict}",told="${told}"}`,
          ),
        ),
      ),
      ...['slack', 'service', 'event'].map((what) => `bellhop_retries_total{what="${what}"}`),
    ]

    expect(expected.filter((series) => figures.of(series) !== 0)).toEqual([])
    const names = ['bellhop_grants_total', 'bellhop_slack_refusals_total', 'bellhop_requests_total']
    const all = names.flatMap((name) => figures.series(name))
    expect(all.filter((series) => !expected.includes(series))).toEqual([])
  })
})

describe('a grant to one person', () => {
  it.each([
    ['204', 'ok', granted('granted', 'none', 'at_once')],
    ['400', 'service-bad-request', granted('not_granted', 'bad-request', 'at_once')],
    ['403', 'service-forbidden', granted('not_granted', 'forbidden', 'at_once')],
    ['404', 'service-not-found', granted('not_granted', 'not-found', 'at_once')],
    ['429', 'service-busy', granted('not_granted', 'busy', 'at_once')],
    ['500', 'uncertain', granted('uncertain', 'server-error', 'at_once')],
    ['302', 'uncertain', granted('uncertain', 'odd-answer', 'at_once')],
  ])('counts as what the service made of it: %s is %s', async (status, outcome, series) => {
    const world = await openWorld()
    const { alice, general, service, url } = world
    if (status !== '204') service.trouble.answer(Number(status), { times: 1 })
    await alice.types(line, general)
    await alice.sees(/Granted|Not granted|Not certain/, general)

    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ [`command ${outcome}`]: 1 })
    expect(await grantsAt(url)).toEqual({ [series]: 1 })
    expect(loggedOutcomes(world, 'command', 'grant')).toEqual([outcome])
  })

  it('counts once however often it is asked for, and the ways of asking are told apart', async () => {
    const { alice, general, slack, url } = await openWorld()
    await Promise.all([alice.types(line, general), alice.types(line, general)])
    await alice.sees('You asked for the same a moment ago', general)
    await slack.idle()

    expect(await grantsAt(url)).toEqual({ [granted('granted', 'none', 'at_once')]: 1 })
  })

  it('whose token is refused counts as that, and as granted once another one was connected', async () => {
    const { alice, general, service, url } = await openWorld()
    service.revoke(aliceToken)
    service.addToken({ token: 'another-token', name: 'alice', flags: ['API', 'CONTAINER_ACCESS'] })
    await alice.types(line, general)
    const prompt = await alice.sees('monitoring no longer accepts your token', general)
    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ 'command service-refused': 1 })
    await alice.presses('Connect account', prompt)
    await alice.seesModal('Connect account')
    await alice.submits({ fields: { 'API token': 'another-token' } })
    await alice.sees('✅ Granted', general)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({
        [granted('not_granted', 'refused', 'at_once')]: 1,
        [granted('granted', 'none', 'at_once')]: 1,
      })
  })
})

describe('a grant to several people', () => {
  it.each([
    [[204, 204, 204], 'ok'],
    [[204, 400, 204], 'partly'],
    [[204, 400, 500], 'uncertain'],
    [[400, 400, 400], 'service-bad-request'],
  ])('counts each of them, and the request as what became of all: %j is %s', async (statuses, outcome) => {
    const { world, line, emails } = await openSeveral(3)
    const { alice, general, service, url } = world
    for (const status of statuses) if (status !== 204) service.trouble.answer(status, { times: 1 })
    await alice.types(line, general)
    await alice.sees(/of 3 granted|Not certain/, general)

    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ [`command ${outcome}`]: 1 })
    const figures = await grantsAt(url)
    const count = (status: number) => statuses.filter((one) => one === status).length
    const expected: Record<string, number> = {
      [granted('granted', 'none', 'at_once')]: count(204),
      [granted('not_granted', 'bad-request', 'at_once')]: count(400),
      [granted('uncertain', 'server-error', 'at_once')]: count(500),
    }
    expect(figures).toEqual(Object.fromEntries(Object.entries(expected).filter(([, value]) => value > 0)))
    expect(emails).toHaveLength(3)
  })

  it('counts those who were not sent any more, as the first showed that nobody can be granted it', async () => {
    const { world, line } = await openSeveral(12)
    const { alice, general, service, url } = world
    service.trouble.answer(404, { times: 1 })
    await alice.types(line, general)
    const result = await alice.sees(/of 12 granted/, general)
    const sent = posts(world).length
    expect(sent).toBeLessThan(12)

    expect(result.plain.match(/: not sent/g)).toHaveLength(12 - sent)
    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({
        ...(sent > 1 ? { [granted('granted', 'none', 'at_once')]: sent - 1 } : {}),
        [granted('not_granted', 'not-found', 'at_once')]: 1,
        [granted('not_sent', 'none', 'at_once')]: 12 - sent,
      })
  })

  it('counts nobody as not sent who was sent, and who was tried again when they were', async () => {
    const { world, line } = await openSeveral(3)
    const { alice, general, service, url } = world
    service.trouble.answer(429, { times: 1 })
    await alice.types(line, general)
    const result = await alice.sees('2 of 3 granted', general)
    await alice.presses('Try the rest again', result)
    await alice.sees('✅ Granted', general)

    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ 'command partly': 1, 'press ok': 1 })
    expect(await grantsAt(url)).toEqual({
      [granted('granted', 'none', 'at_once')]: 3,
      [granted('not_granted', 'busy', 'at_once')]: 1,
    })
  })
})

describe('somebody without an account', () => {
  it('who is asked to connect counts as asked to connect, for an alert and for a grant', async () => {
    const world = await openWorld()
    const { bob, general, url } = world
    await bob.types('/alert 5HkX', general)
    await bob.sees('Connect', general)
    await bob.types(line, general)
    await bob.sees('To make this grant', general)

    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ 'command connect': 1 })
    await expect.poll(() => requestsAt(url, 'alert'), patient).toMatchObject({ 'command connect': 1 })
    expect(loggedOutcomes(world, 'command', 'alert')).toContain('connect')
    expect(await grantsAt(url)).toEqual({})
  })

  it('who is asked below a link that they posted counts as asked about an alert', async () => {
    const { bob, general, slack, url } = await openWorld()
    bob.says('https://monitor.example.com/alert/5HkX', general)
    await slack.idle()

    await expect.poll(() => requestsAt(url, 'alert'), patient).toMatchObject({ 'event connect': 1 })
  })

  it('whose typed token is refused has not connected', async () => {
    const world = await openWorld()
    const { bob, general, url } = world
    await bob.types('/alert connect', general)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': 'nobody-knows-this-0' } })

    await expect
      .poll(() => requestsAt(url, 'alert'), patient)
      .toMatchObject({ 'submission service-refused': 1 })
  })
})

describe('a request for approval', () => {
  it('counts a grant that a colleague has to approve first as that, and nobody as granted', async () => {
    const world = await openWorld({ env: { APPROVAL_FLAGS: 'WEBHOOKS' } })
    const { alice, general, url } = world
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    await alice.sees('Not sent yet', general)

    await expect.poll(() => requestsAt(url, 'grant'), patient).toEqual({ 'command needs-approval': 1 })
    expect(loggedOutcomes(world, 'command', 'grant')).toEqual(['needs-approval'])
    expect(await grantsAt(url)).toEqual({})
  })

  it('counts the grant for who approves it, once, as what became of it', async () => {
    const world = await openColleagues()
    const { bob, carol, general, url } = world
    const card = await asked(world)
    expect(await grantsAt(url)).toEqual({ [granted('not_granted', 'forbidden', 'at_once')]: 1 })
    await carol.presses('Approve', card)
    await bob.sees('✅ Granted by carol', bob.dm)
    await carol.sees(/^✅ Granted by carol/, general)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({
        [granted('not_granted', 'forbidden', 'at_once')]: 1,
        [granted('granted', 'none', 'at_once')]: 1,
      })
  })

  it('counts as a doubt when its approver seems dead, and in place of the doubt when they come back', async () => {
    const world = await openColleagues({ budgetMs: 8_000 })
    const { bob, clock, carol, service, url } = world
    const card = await asked(world)
    const before = await grantsAt(url)
    service.trouble.slow(3_000, { only: 'POST' })
    await carol.presses('Approve', card)
    await world.serviceWasAsked('/container/12/user', 2)
    clock.advance(13_000)
    const other = await world.startAnother()
    await bob.sees('❓ Approved by carol, but it’s not certain', bob.dm)
    await bob.sees('✅ Granted by carol', bob.dm)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({ ...before, [granted('granted', 'none', 'late')]: 1 })
    expect(await grantsAt(other.url)).toEqual({ [granted('uncertain', 'stopped', 'late')]: 1 })
  })

  it('that the approver’s token cannot grant counts as refused, for the press as well', async () => {
    const world = await openColleagues()
    const { carol, general, service, url } = world
    const card = await asked(world)
    service.trouble.answer(403, { times: 1 })
    const before = await requestsAt(url, 'grant')
    await carol.presses('Approve', card)
    await carol.sees('CONTAINER_ACCESS', general)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({ [granted('not_granted', 'forbidden', 'at_once')]: 2 })
    const count = (figures: Readonly<Record<string, number>>) => figures['press service-forbidden'] ?? 0
    await expect.poll(async () => count(await requestsAt(url, 'grant')), patient).toBe(count(before) + 1)
  })
})

describe('an outcome that could not be told at once', () => {
  /** Slack took the outcome neither as an answer nor as a direct message. */
  async function isNotTold({ slack }: World): Promise<void> {
    await expect.poll(() => slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(1)
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

    const late = { [granted('granted', 'none', 'late')]: 1 }
    await expect.poll(() => grantsAt(world.url), patient).toEqual(late)
    clock.advance(10 * minutes)
    await slack.idle(100)
    expect(await grantsAt(world.url)).toEqual(late)
  })

  it('counts everybody of several people', async () => {
    const { world, line } = await openSeveral(3)
    const { alice, general } = world
    failToTell(world)
    await alice.types(line, general)
    await isNotTold(world)
    await world.restart()
    await alice.sees('3 of 3 granted', alice.dm)

    await expect.poll(() => grantsAt(world.url), patient).toEqual({ [granted('granted', 'none', 'late')]: 3 })
  })

  it('counts as a doubt when its sender seems dead, and as what it was when that one comes back', async () => {
    const world = await openWorld({ budgetMs: 8_000 })
    const { alice, general, service, clock, url } = world
    service.trouble.slow(3_000, { only: 'POST' })
    await alice.types(line, general)
    await world.serviceWasAsked('/container/12/user', 1)
    clock.advance(13_000)
    const other = await world.startAnother()
    await alice.sees('Not certain', alice.dm)
    await expect
      .poll(() => grantsAt(other.url), patient)
      .toEqual({ [granted('uncertain', 'stopped', 'late')]: 1 })
    expect(await grantsAt(url)).toEqual({})

    await alice.sees('✅ Granted', general)

    await expect.poll(() => grantsAt(url), patient).toEqual({ [granted('granted', 'none', 'late')]: 1 })
    expect(await grantsAt(other.url)).toEqual({ [granted('uncertain', 'stopped', 'late')]: 1 })
  })

  it('counts those of several people alone whose doubt was replaced, once their sender comes back', async () => {
    const { world, line } = await openSeveral(2, { budgetMs: 8_000 })
    const { alice, general, service, clock, url } = world
    service.trouble.slow(3_000, { only: 'POST' })
    await alice.types(line, general)
    await world.serviceWasAsked('/container/12/user', 1)
    clock.advance(13_000)
    const other = await world.startAnother()
    await alice.sees('0 of 2 granted', alice.dm)
    await alice.sees('1 of 2 granted', general)

    await expect.poll(() => grantsAt(url), patient).toEqual({ [granted('granted', 'none', 'late')]: 1 })
    expect(await grantsAt(other.url)).toEqual({
      [granted('uncertain', 'stopped', 'late')]: 1,
      [granted('not_sent', 'none', 'late')]: 1,
    })
  })

  it('counts whose doubt was replaced alone, too, where their sender comes back with a refused token', async () => {
    const { world, line } = await openSeveral(2, { budgetMs: 8_000 })
    const { alice, general, service, clock, url } = world
    service.trouble.slow(3_000, { only: 'POST' })
    service.trouble.answer(401, { times: 1 })
    await alice.types(line, general)
    await world.serviceWasAsked('/container/12/user', 1)
    clock.advance(13_000)
    const other = await world.startAnother()
    await alice.sees('0 of 2 granted', alice.dm)
    await alice.sees('monitoring no longer accepts your token', general)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({ [granted('not_granted', 'refused', 'late')]: 1 })
    expect(await grantsAt(other.url)).toEqual({
      [granted('uncertain', 'stopped', 'late')]: 1,
      [granted('not_sent', 'none', 'late')]: 1,
    })
  })

  it('counts whose doubt was replaced alone, too, where the truth is read by an old button', async () => {
    const world = await openWorld()
    const { alice, general, clock, slack, env, service, url } = world
    service.addUser({ email: 'erin@example.com' })
    await alice.types('/grant 12 dave@example.com,erin@example.com WEBHOOKS', general)
    const confirmation = await alice.sees('Sensitive flags', general)
    const wishId = String(confirmation.control('Cancel')?.element.value)
    const { teamId: workspaceId } = slack.workspace
    const sender = { workspaceId, userId: alice.id }
    const keys = [1, 2].map((n) => ({ workspaceId, wishId, n }))
    const how = { leaseMs: 12_000, joinableMs: 10_000, askedAfter: 0 }
    const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
    onTestFinished(() => storage.close())
    // A process that grants to both falls silent, others tell the doubt, and it dies as it has kept what it knows.
    await storage.wishes.begin(sender, wishId, how)
    for (const key of keys) await storage.sends.begin(sender, key, how)
    clock.advance(how.leaseMs)
    await storage.wishes.endLapsed()
    await alice.presses('Cancel', confirmation)
    await alice.sees('request may have gone out', general)
    const doubted = { [granted('uncertain', 'stopped', 'at_once')]: 2 }
    await expect.poll(() => grantsAt(url), patient).toEqual(doubted)
    await storage.sends.settle(
      keys[0] ?? { workspaceId, wishId, n: 1 },
      { kind: 'done' },
      { tellingMs: how.leaseMs },
    )

    await alice.presses('Cancel', confirmation)
    await alice.sees('1 of 2 granted', general)

    await expect
      .poll(() => grantsAt(url), patient)
      .toEqual({ ...doubted, [granted('granted', 'none', 'late')]: 1 })
  })
})

describe('a result for several people', () => {
  it('counts everybody at once, though others doubted one of them meanwhile and told nobody', async () => {
    const { world, line } = await openSeveral(3, { budgetMs: 8_000 })
    const { alice, general, service, clock, env, url } = world
    service.trouble.slow(3_000, { only: 'POST' })
    await alice.types(line, general)
    await world.serviceWasAsked('/container/12/user', 1)
    const database = new DatabaseSync(sqlitePath(env.DATABASE_URL ?? ''), { timeout: 5_000 })
    onTestFinished(() => database.close())
    // As when the database was locked a while: the wish’s lease is renewed again and again, that of its sends is not.
    database.prepare('update wishes set lease_until = ?').run(clock.now() + 60_000)
    clock.advance(13_000)
    await world.startAnother()
    const doubts = () => database.prepare("select n from sends where outcome like '%stopped%'").all()
    await expect.poll(doubts, patient).toHaveLength(1)
    service.trouble.clear()

    const told = await alice.sees('3 of 3 granted', general)

    expect(told.plain).not.toContain('this replaces it')
    await expect.poll(() => grantsAt(url), patient).toEqual({ [granted('granted', 'none', 'at_once')]: 3 })
  })
})

describe('what Slack refuses', async () => {
  const world = await openWorld({ until: afterAll })
  const { alice, service, slack, url } = world
  world.expectRefusals()
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const refusals = async (kind: string) =>
    (await scrape(url)).counted('bellhop_slack_refusals_total')[`{kind="${kind}"}`] ?? 0

  it.each([
    ['invalid_auth', 'token'],
    ['token_revoked', 'token'],
    ['not_in_channel', 'place'],
    ['channel_not_found', 'place'],
    ['is_archived', 'place'],
    ['message_not_found', 'gone'],
    ['missing_scope', 'scope'],
    ['invalid_blocks', 'input'],
    ['msg_too_long', 'input'],
    ['fatal_error', 'other'],
    ['something_new', 'other'],
  ])('counts by its kind: %s is %s', async (error, kind) => {
    const before = await refusals(kind)
    slack.trouble.fail('chat.postMessage', { error }, { times: 1 })
    await alice.types('/alert 5HkX', slack.addChannel({ name: error, members: [alice], botIsMember: true }))

    await expect.poll(() => refusals(kind), patient).toBe(before + 1)
    await slack.idle()
    expect(await refusals(kind)).toBe(before + 1)
  })

  it('counts an answer over a response URL as well, where it is over', async () => {
    const before = await refusals('gone')
    slack.trouble.fail('response_url', { error: 'used_url' }, { times: 1 })
    await alice.types('/alert 5HkX', world.ops)

    await expect.poll(() => refusals('gone'), patient).toBe(before + 1)
  })
})
