// A thousand ends at one moment, and more that nobody can end than are looked at at once: in order, and never in the way of
// what people type.
import { expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { openWorld, type World } from '../world.ts'
import { gave, times } from './many.ts'

const [hourMs, minuteMs] = [3_600_000, 60_000]
/** As many as are looked at at the same time. */
const atOnce = 50

const removals = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'DELETE')
const underWay = (world: World) => removals(world).filter(({ status }) => status === undefined)

/** Lets time pass second by second, so that Slack never has to ask for a pause. */
async function secondsUntil(world: World, isEnough: () => boolean): Promise<void> {
  for (let second = 0; second < 1_200 && !isEnough(); second += 1) {
    world.clock.advance(1_000)
    await world.slack.idle(20)
  }
}

/** Somebody whose address monitoring hides, so that Slack isn’t asked who that is. */
function hidden(at: number) {
  const there = { userId: 1_000 + at, name: `P${at}`, permissions: ['READ', 'API'], member: false }
  return { has: { id: there.userId, email: `p${at}@example.com` }, whom: { email: '', there } }
}

/** Somebody who may give access, and is connected. */
async function addGiver(world: World, name: string): Promise<Person> {
  const person = world.slack.addPerson({ name })
  world.general.members.add(person.id)
  const flags = ['API', 'READ', 'CONTAINER_ACCESS'] as const
  world.service.addToken({ token: `${name}-token`, name, flags: [...flags] })
  await world.connect(person, `${name}-token`)
  return person
}

/** People of whom these have heard that it ended. */
const said = (givers: readonly Person[]) =>
  givers.flatMap((one) => one.screen(one.dm).match(/\(user \d+\)/g) ?? [])

it('a thousand that ended overnight are worked off in order, fifty at once, and commands are answered meanwhile', async () => {
  const world = await openWorld({ level: 'warn' })
  const { alice, clock, general, service, slack } = world
  const count = 1_000
  const givers = [alice]
  for (const at of times(9)) givers.push(await addGiver(world, `giver-${at}`))
  const first = clock.now() + hourMs
  const ends = await gave(
    world,
    times(count).map((at) => {
      // Those of the second half are five minutes later.
      const endsAt = at < count / 2 ? first : first + 5 * minuteMs
      const giverId = givers[at % givers.length]?.id ?? ''
      const who = { ...hidden(at), giverId, askerId: giverId }
      return { ...who, containerId: 100 + (at % 100), endsAt, dueAt: endsAt }
    }),
  )
  const left = () => ends.slice(0, 100).flatMap(({ containerId }) => service.membersOf(containerId))
  let most = 0
  service.onChange(() => {
    most = Math.max(most, underWay(world).length)
  })
  const letGo = service.trouble.hold({ only: 'DELETE' })

  clock.advance(hourMs + 10 * minuteMs)
  await expect.poll(() => underWay(world).length).toBe(atOnce)
  await alice.types('/alert help', general)
  await alice.sees('/alert doctor checks', general)
  expect([underWay(world).length, left().length]).toEqual([atOnce, count])

  letGo()
  await secondsUntil(world, () => left().length === 0 && said(givers).length === count)
  expect(left()).toEqual([])
  expect(most).toBe(atOnce)
  const numbers = removals(world).map(({ path }) => Number(/\d+$/.exec(path)) - 1_000)
  expect(numbers.slice(0, count / 2 - atOnce).filter((at) => at >= count / 2)).toEqual([])
  expect(new Set(said(givers)).size).toBe(count)
  const told = givers.flatMap((one) => one.messages(one.dm))
  expect(told.length).toBeLessThan((2 * count) / 20)
  // Each says when that was seen, as it was late.
  expect(told.filter(({ plain }) => !plain.includes(', as of 20'))).toEqual([])
  expect(slack.calls.filter(({ status }) => status === 429)).toEqual([])
}, 300_000)

it('more of them that nobody can end than that hold up none of those behind them', async () => {
  const world = await openWorld({ level: 'warn' })
  const { alice, bob, clock, service } = world
  const carol = await addGiver(world, 'carol')
  service.revoke('carol-token')
  const dueAt = clock.now() + hourMs
  const stuck = atOnce + 10
  await gave(
    world,
    times(2 * stuck + 5).map((at) => {
      // Bob has no account, the service refuses Carol’s, and Alice’s are due last.
      const giverId = at < stuck ? bob.id : carol.id
      const theirs = at < 2 * stuck ? { giverId, askerId: giverId } : {}
      return {
        ...hidden(at),
        ...theirs,
        containerId: 100 + (at % 10),
        endsAt: dueAt + at,
        dueAt: dueAt + at,
      }
    }),
  )
  clock.advance(hourMs + minuteMs)
  await secondsUntil(world, () => said([alice]).length === 5)
  expect(said([alice])).toHaveLength(5)
  expect(removals(world)).toHaveLength(5)
}, 120_000)
