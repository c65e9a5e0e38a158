// Says to whoever waits for a slow answer that it is on its way.
import type { House } from '../../house.ts'
import { whenSlow } from '../../work/under-way.ts'
import type { Place } from './delivery.ts'
import type { Message } from './message.ts'

/** Says once, to the asker alone, that the work takes long. @throws What the work throws. */
export function sayingWhenSlow<T>(
  { slowMs, slack, log }: House,
  place: Place,
  message: Message,
  work: Promise<T>,
): Promise<T> {
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'nobody could be told that the service is slow')
  return whenSlow(work, slowMs, () => slack.privately(place, message).catch(failed))
}
