// A Slack that asks the bot to wait for a minute, which lasts until the test lets it go on; and time that passes meanwhile.
import { onTestFinished, vi } from 'vitest'
import type { World } from './world.ts'

const second = 1_000

/** Holds the bot where Slack asks it to wait, until it is let go. Before the world is opened: its `wait`. */
export function holdAtSlack() {
  const letGo = Promise.withResolvers<void>()
  const held: number[] = []
  async function wait(ms: number): Promise<void> {
    if (ms < 60 * second) return new Promise(setImmediate)
    held.push(ms)
    await letGo.promise
  }
  return { wait, held, letGo: () => letGo.resolve() }
}

/** From now on, what the bot does from time to time is on the clock of the test, which `pass` moves. */
export function holdIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** The bot looks every five seconds, and leases are renewed every four, all on the clock of the test. */
export async function pass(world: World, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += second) {
    world.clock.advance(second)
    await vi.advanceTimersByTimeAsync(second)
    // Through the writes of the database.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
}
