// What processes leave behind in the database that die in the middle of a request.

import type { Write } from '../../src/send/outcome.ts'
import {
  beginSendStep,
  beginStep,
  createRequest,
  finishStep,
  settleStep,
} from '../../src/send/request.ts'
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import type { World } from '../world.ts'

export type When = 'begun' | 'sending' | 'telling'

/** Works on the database of a world, as another process does. */
export async function asAnother<T>(
  { env, clock }: Pick<World, 'env' | 'clock'>,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/**
 * Alice's request of one write, as a process leaves it that dies once it has begun it, while it sends, or before it tells
 * that it is done.
 * @param id - Of a request that is kept, or of a new one.
 */
export function died(world: World, when: When, write: Write, id = 'w1'): Promise<void> {
  const { teamId: workspaceId } = world.slack.workspace
  const sender = { workspaceId, userId: world.alice.id }
  return asAnother(world, async ({ requests }) => {
    await requests.insert((now) =>
      createRequest({ id, sender, writes: [write], channelId: world.general.id }, now),
    )
    const begun = await requests.change(
      { workspaceId, id },
      beginStep({ sender, passes: () => true }),
    )
    if (begun === undefined) throw new Error('it does not begin')
    if (when === 'begun') return
    await requests.change(begun, beginSendStep(begun, 1))
    if (when === 'sending') return
    await requests.change(begun, settleStep(begun, 1, { kind: 'done' }))
    await requests.change(begun, finishStep(begun))
  })
}

/** `READ` and `API` for dave. */
export function addsDaveTo(containerId: number, { member = false } = {}): Write {
  return {
    kind: 'add-user',
    containerId,
    email: 'dave@example.com',
    authProvider: undefined,
    member,
    permissions: ['READ', 'API'],
  }
}
