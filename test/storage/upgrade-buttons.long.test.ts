// Messages of the version before stand in Slack for as long as Slack keeps them: after the upgrade to wishes and sends,
// each of their buttons does what it says, for one person and for several.
import type { KnownBlock } from '@slack/types'
import { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { startPostgres } from '../postgres.ts'
import { interaction, send } from '../signed-request.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'
import { batch, forbidden, grant, granted, keep, type Rows, settled, toldElsewhere } from './former-rows.ts'
import { type OlderDatabase, olderDatabases } from './older-database.ts'

const server = await startPostgres()
const engines = olderDatabases(server, '0017')

const [dave, erin, frank] = ['dave@example.com', 'erin@example.com', 'frank@example.com'] as const
const emails = [dave, erin, frank]
const busy = JSON.stringify({ kind: 'not-granted', code: 'busy' })
const unreachable = JSON.stringify({ kind: 'not-granted', code: 'unreachable' })
const minute = 60_000
/** Longer ago than equal ones would join it. */
const over = { ...settled, is_standing: 0 } as const

/** As they were named before. */
const actions = {
  'Grant access': 'grant.confirm',
  Cancel: 'grant.cancel',
  'Share in channel': 'grant.share',
  'Try the rest again': 'grant.rest',
  'Ask for approval': 'grant.ask-approval',
} as const

type Label = keyof typeof actions

interface Upgraded extends World {
  /** A message of the version before, for the asker alone, whose buttons carry this id. */
  shows(id: string, ...labels: readonly Label[]): Promise<SeenMessage>
  /** Whom the service was asked to add, in the order in which it was asked. */
  asked(): readonly string[]
}

interface FormerRows extends Rows {
  /** Default: Alice. The rest of each row is theirs, of a minute ago, in #general. */
  readonly asker?: 'alice' | 'bob'
}

async function openUpgraded(make: () => Promise<OlderDatabase>, rows: FormerRows): Promise<Upgraded> {
  const world = await openWorld({ isAliceConnected: false })
  for (const email of [erin, frank]) world.service.addUser({ email })
  await upgrade(world, make, rows)
  const { alice, bob, general, slack } = world
  const asker = rows.asker === 'bob' ? bob : alice
  const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl })
  let shown = 0

  return {
    ...world,
    async shows(id, ...labels) {
      shown += 1
      const text = `Message ${shown}`
      const blocks: KnownBlock[] = [
        { type: 'section', text: { type: 'plain_text', text } },
        {
          type: 'actions',
          elements: labels.map((label) => ({
            ...{ type: 'button', action_id: actions[label], value: id },
            text: { type: 'plain_text', text: label },
          })),
        },
      ]
      await web.chat.postEphemeral({ channel: general.id, user: asker.id, text, blocks })
      return asker.sees(text, general)
    },
    asked: () => askedOf(world),
  }
}

/** Starts the bot again on a database that the version before has left behind. */
async function upgrade(
  world: World,
  make: () => Promise<OlderDatabase>,
  { asker = 'alice', grants = [], batches = [], approvals = [] }: FormerRows,
): Promise<void> {
  const { alice, bob, general, slack, clock } = world
  const older = await make()
  const at = clock.now() - minute
  const mine = <Row extends { readonly settled_at: number | null }>(row: Row) => ({
    ...row,
    ...{ asker_id: world[asker].id, channel_id: general.id },
    ...{ asked_at: at, settled_at: row.settled_at && at },
  })
  await keep(
    older,
    { grants: grants.map(mine), batches: batches.map(mine), approvals },
    slack.workspace.teamId,
  )
  await world.restart({ DATABASE_URL: older.url })
  await world.connect(alice, aliceToken)
  await world.connect(bob, bobToken)
}

/** Whom the service was asked to add, in the order in which it was asked. */
function askedOf({ service }: World): readonly string[] {
  return service.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => String(Object(body).email))
}

/** Of the second and third of three people. */
function twoOfThree(first: string, second: string, third: string): Rows {
  const outcomes = [first, second, third]
  return {
    batches: [batch({ id: 'several:b', emails, ...over, is_told: 1 })],
    grants: outcomes.map((outcome, index) =>
      grant({
        id: `several:b.${index + 1}`,
        email: emails[index] ?? '',
        ...settled,
        outcome,
        ...toldElsewhere,
      }),
    ),
  }
}

describe.each(engines)('a message of the version before, on %s', (_, make) => {
  it('grants by its Grant access, once', async () => {
    const world = await openUpgraded(make, {
      grants: [grant({ id: 'g', email: dave })],
      batches: [batch({ id: 'several:b', emails: [erin, frank] })],
    })
    const { alice, general, clock, slack } = world
    const [one, same] = [await world.shows('g', 'Grant access'), await world.shows('g', 'Grant access')]
    const several = await world.shows('several:b', 'Grant access', 'Cancel')

    await alice.presses('Grant access', one)
    await alice.sees('✅ Granted', general)
    await alice.presses('Grant access', several)
    await alice.sees('2 of 2 granted', general)
    clock.advance(minute)
    await alice.presses('Grant access', same)
    await slack.idle()

    expect(world.asked()).toEqual([dave, erin, frank])
  })

  it('sends nothing after its Cancel', async () => {
    const world = await openUpgraded(make, {
      grants: [grant({ id: 'g', email: dave })],
      batches: [batch({ id: 'several:b', emails: [erin, frank] })],
    })
    const { alice, general } = world
    for (const id of ['g', 'several:b']) {
      const shown = await world.shows(id, 'Grant access', 'Cancel')
      const same = await world.shows(id, 'Grant access')

      await alice.presses('Cancel', shown)
      await alice.sees('Cancelled. Nothing was sent.', general)
      await alice.presses('Grant access', same)
      await alice.sees('This was cancelled. Nothing was sent for it.', general)
    }

    expect(world.asked()).toEqual([])
  })

  it('is shared by its Share in channel, once', async () => {
    const { batches = [], grants = [] } = twoOfThree(granted, busy, granted)
    const one = grant({ id: 'g', email: dave, ...over, outcome: granted, is_told: 1 })
    const world = await openUpgraded(make, { batches, grants: [...grants, one] })
    const { alice, bob, general, slack } = world

    for (const id of ['g', 'several:b']) {
      const [shown, same] = [
        await world.shows(id, 'Share in channel'),
        await world.shows(id, 'Share in channel'),
      ]
      await alice.presses('Share in channel', shown)
      await alice.presses('Share in channel', same)
      await slack.idle()
    }

    const shared = bob.messages(general).filter(({ plain }) => plain.includes('requested by alice'))
    expect(shared).toHaveLength(2)
    expect(shared[0]?.plain).toContain('✅ Granted')
    expect(shared[1]?.plain).toContain('2 of 3 granted')
    expect(world.asked()).toEqual([])
  })

  it('asks for those who are left by its Try the rest again, once', async () => {
    const world = await openUpgraded(make, twoOfThree(granted, busy, unreachable))
    const { alice, general, clock, slack } = world
    const shown = await world.shows('several:b', 'Try the rest again', 'Share in channel')
    const same = await world.shows('several:b', 'Try the rest again')

    await alice.presses('Try the rest again', shown)
    await alice.sees('2 of 2 granted', general)
    clock.advance(minute)
    await alice.presses('Try the rest again', same)
    await slack.idle()

    expect(world.asked()).toEqual([erin, frank])
  })

  it('asks for the one who is left by its Try the rest again', async () => {
    const world = await openUpgraded(make, twoOfThree(granted, granted, busy))
    const { alice, general } = world

    await alice.presses('Try the rest again', await world.shows('several:b', 'Try the rest again'))

    await alice.sees('✅ Granted', general)
    expect(world.asked()).toEqual([frank])
  })

  it.each([
    ['several people', 'several:b:rest', [erin, frank]],
    ['one person', 'b:rest', [frank]],
  ] as const)(
    'asks nobody again where its rest, of %s, was asked before the upgrade',
    async (_, id, left) => {
      const first = twoOfThree(granted, left.length === 1 ? granted : busy, busy)
      const { batches = [], grants = [] } = first
      const outcome = { ...over, outcome: granted }
      const world = await openUpgraded(make, {
        batches: left.length === 1 ? batches : [...batches, batch({ id, emails: left, ...over, is_told: 1 })],
        grants: [
          ...grants,
          ...left.map((email, index) =>
            grant({ id: left.length === 1 ? id : `${id}.${index + 1}`, email, ...outcome, is_told: 1 }),
          ),
        ],
      })

      await world.alice.presses('Try the rest again', await world.shows('several:b', 'Try the rest again'))
      await world.slack.idle()

      expect(world.asked()).toEqual([])
    },
  )

  it.each([
    ['one person who was refused', 'g', [dave]],
    ['several of whom one was refused', 'several:b', [erin, frank]],
    ['one person who waits', 'waits', [dave]],
    ['several who wait', 'several:waits', [erin, frank]],
  ] as const)('asks for approval by its Ask for approval, of %s', async (_, id, left) => {
    const { batches = [], grants = [] } = twoOfThree(granted, forbidden, busy)
    const world = await openUpgraded(make, {
      asker: 'bob',
      batches: [...batches, batch({ id: 'several:waits', emails: [erin, frank] })],
      grants: [
        ...grants,
        grant({ id: 'g', email: dave, ...over, outcome: forbidden, is_told: 1 }),
        grant({ id: 'waits', email: dave }),
      ],
    })
    const { alice, bob, general } = world
    const shown = await world.shows(id, 'Ask for approval')
    const same = await world.shows(id, 'Grant access')

    await bob.presses('Ask for approval', shown)
    await bob.seesModal('Ask for approval')
    await bob.submits({ fields: { Reason: 'On call' } })
    const card = await alice.sees('🔑', general)
    if (id.endsWith('waits')) {
      await bob.presses('Grant access', same)
      await bob.sees('You already asked for approval of this. The request shows its current state.', general)
    }
    await alice.presses('Approve', card)
    // One of the three of that list got it a minute ago.
    const isRemembered = left.some((email) => email === dave)
    if (isRemembered)
      await alice.presses('Approve anyway', await alice.sees('Bob Baker gave dave@example.com', general))

    await bob.sees('✅ Granted by alice', bob.dm)
    expect(world.asked()).toEqual(left)
  })
})

describe.each(engines)('a form of the version before, on %s', (_, make) => {
  it.each([
    ['one person', [dave]],
    ['several people', [dave, erin]],
  ])(
    'for %s that is submitted again, as Slack did not hear the answer, sends nothing more',
    async (_, all) => {
      const world = await openWorld()
      const { alice, general, slack, service } = world
      service.addUser({ email: erin })
      await alice.types(`/grant 12 ${all.join(',')}`, general)
      await alice.seesModal('Grant access')
      await alice.submits({ fields: { Role: 'Custom', Viewing: ['View the container'] } })
      await alice.sees(all.length === 1 ? '✅ Granted' : '2 of 2 granted', general)
      const { payload } = slack.deliveries.findLast(({ kind }) => kind === 'view_submission') ?? {}
      const { id } = JSON.parse(String(Object(Object(payload).view).private_metadata))
      const before = askedOf(world)
      const rights = { containerId: 12, member: false, permissions: ['READ'] }
      const request = JSON.stringify({ ...rights, email: dave })
      const wish = JSON.stringify({ ...rights, emails: all })
      const outcome = { ...over, outcome: granted, is_told: 1 } as const
      await upgrade(world, make, {
        ...(all.length === 1
          ? { grants: [{ ...grant({ id, ...outcome }), request }] }
          : { batches: [{ ...batch({ id: `several:${id}`, emails: all, ...over, is_told: 1 }), wish }] }),
      })

      await send(world, interaction({ ...payload, trigger_id: 'another' }))
      await slack.idle()

      expect(askedOf(world)).toEqual(before)
    },
  )
})

describe.each(engines)('a request for approval of the version before, on %s', (_, make) => {
  it('is granted by its Approve, after an attempt that came to nothing', async () => {
    const world = await openWorld({ isAliceConnected: false })
    const { alice, bob, general, slack, clock } = world
    world.service.addUser({ email: erin })
    const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl })
    const text = { type: 'plain_text', text: 'Approve' } as const
    const { ts = '' } = await web.chat.postMessage({
      ...{ channel: general.id, text: 'A request' },
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: 'A request' } },
        { type: 'actions', elements: [{ type: 'button', action_id: 'approval.approve', value: 'a', text }] },
      ],
    })
    const posted = { channelId: general.id, ts }
    const asked = { id: 'a', emails: [dave, erin], askerId: bob.id, posted, until: clock.now() + 60 * minute }
    await upgrade(world, make, {
      approvals: [{ ...asked, state: 'open', attempt: 1 }],
      grants: [dave, erin].map((email, index) =>
        grant({ id: `a:1.${index + 1}`, email, ...over, outcome: busy, ...toldElsewhere }),
      ),
    })

    await alice.presses('Approve', await alice.sees('A request', general))

    await bob.sees('✅ Granted by alice', bob.dm)
    expect(askedOf(world)).toEqual([dave, erin])
  })

  it('is taken back by its Withdraw, and shown as this version shows it', async () => {
    const world = await openWorld({ isAliceConnected: false })
    const { bob, general, slack, clock } = world
    const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl })
    const text = { type: 'plain_text', text: 'Withdraw' } as const
    const { ts = '' } = await web.chat.postMessage({
      ...{ channel: general.id, text: 'A request' },
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: 'A request' } },
        { type: 'actions', elements: [{ type: 'button', action_id: 'approval.withdraw', value: 'a', text }] },
      ],
    })
    const posted = { channelId: general.id, ts }
    const asked = { id: 'a', emails: [dave], askerId: bob.id, posted, until: clock.now() + 60 * minute }
    await upgrade(world, make, { approvals: [{ ...asked, state: 'open', attempt: 0 }] })

    await bob.presses('Withdraw', await bob.sees('A request', general))

    await bob.sees('Withdrawn. Nothing was granted.', general)
    await bob.sees(/^Withdrawn by alice/, general)
  })
})
