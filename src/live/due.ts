// Looks at what falls due: live cards, and followed containers. Nobody asks for it.
import type { House } from '../house.ts'
import { outsideRequest, withId } from '../log/request.ts'
import { createWork } from '../work/under-way.ts'

/** Takes what is due of one kind; each is a look, which never rejects. */
export type TakeDue = (house: House) => Promise<readonly (() => Promise<void>)[]>

/** Background job: takes what is due again and again, and looks at it. */
export function keepUp(house: House, takes: readonly TakeDue[]): { start(): void; stop(): Promise<void> } {
  const { poller } = house
  const work = createWork()
  async function take(): Promise<void> {
    for (const takeOfKind of takes) {
      const looks = await takeOfKind(house)
      // Whoever wakes the poller does not lend it their id.
      for (const look of looks) void work.track(outsideRequest(() => withId(look)))
    }
  }
  return {
    start: () => poller.start(take),
    async stop() {
      await poller.stop()
      await work.done()
    },
  }
}
