// Tools for tests of how the night went: times of the clock in somebody’s zone, and a night that passes.
import { expect } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { minuteMs } from '../../src/work/durations.ts'
import type { World } from '../world.ts'
import { inChannel, passes } from './follow.ts'

const amsterdam = 'Europe/Amsterdam'

/** “08:00”, so many minutes from now. */
export function clockIn(world: World, minutes: number, timeZone = amsterdam): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone })
  return format.format(world.clock.now() + minutes * minuteMs)
}

/** “8:00 AM”, of “08:00”. */
export function inWords(clock: string): string {
  const [hour = 0, minutes = 0] = clock.split(':').map(Number)
  const shown = `${hour % 12 || 12}:${String(minutes).padStart(2, '0')}`
  return `${shown} ${hour < 12 ? 'AM' : 'PM'}`
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Goes on to the next such time in Amsterdam, as in “Fri 07:50”: nothing looks meanwhile. */
export async function comesTo(world: World, when: string): Promise<void> {
  await world.slack.idle()
  const [day = '', clock = ''] = when.split(' ')
  expect(weekdays).toContain(day)
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: amsterdam,
  })
  const isThen = (minutes: number) => {
    const shown = format.format(world.clock.now() + minutes * minuteMs)
    return shown.includes(day) && shown.includes(clock)
  }
  const minutes = Array.from({ length: 8 * 24 * 60 }, (_, at) => at + 1).find(isThen) ?? 0
  world.clock.advance(minutes * minuteMs)
}

/** Looks every minute or so, for so many minutes. */
export async function goes(world: World, minutes: number): Promise<void> {
  for (let one = 0; one < minutes; one += 1) await passes(world, minuteMs)
  await world.slack.idle(20)
}

/** A look, and another, until this is so; five at most. */
export async function looksUntil(world: World, isSo: () => boolean): Promise<void> {
  const { service, slack } = world
  const reads = () => service.requests.filter(({ path }) => path === '/container/12/alerts').length
  for (let looks = 0; looks < 5; looks += 1) {
    const before = reads()
    await passes(world)
    await expect.poll(reads, { timeout: 10_000 }).toBeGreaterThan(before)
    await slack.idle()
    if (isSo()) break
  }
}

/** Looks until #general reads this. */
export async function brings(world: World, words: string): Promise<void> {
  const { bob, general, slack } = world
  await looksUntil(world, () => inChannel(bob.messages(general), words).length > 0)
  await bob.sees(words, general)
  await slack.idle()
}

/** Daily messages in #general, the oldest first. */
function dailies({ bob, general }: World): readonly SeenMessage[] {
  return inChannel(bob.messages(general), ' since ').filter(
    ({ plain }) => !plain.includes('couldn’t appear') && !plain.includes('haven’t appeared'),
  )
}

export async function seesDailies(world: World, count: number): Promise<readonly SeenMessage[]> {
  await expect.poll(() => dailies(world).length).toBeGreaterThanOrEqual(count)
  await world.slack.idle(30)
  expect(dailies(world)).toHaveLength(count)
  return dailies(world)
}
