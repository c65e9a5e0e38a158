// Tells claimed outcomes one after the other, and keeps hold of those whose turn has not come: Slack may let each wait
// for minutes.

import { withId } from '../log/request.ts'
import { renewing } from './lease.ts'

export async function tellEach<One>(
  claimed: readonly One[],
  tell: (one: One) => Promise<void>,
  renew: (one: One) => Promise<void>,
): Promise<void> {
  const left = new Set(claimed)
  const renewAll = async () => void (await Promise.all(Array.from(left, renew)))
  await renewing(renewAll, async () => {
    for (const one of claimed) {
      await withId(() => tell(one))
      left.delete(one)
    }
  })
}
