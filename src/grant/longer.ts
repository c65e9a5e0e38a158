// More time for access that ends, once a colleague has approved it: the end moves, and the service is asked only whether
// the colleague could give it.

import { endingAtStep } from '../ends/states.ts'
import type { House } from '../house.ts'
import type { AccessWrite } from '../send/outcome.ts'
import type { SenderToken, SendResult } from '../send/send.ts'
import { tooLong } from './lasting.ts'
import { whyNotToGive } from './rights.ts'

export async function makeLonger(
  house: House,
  { asker, token }: SenderToken,
  { containerId, permissions, ends, endId = '' }: AccessWrite,
  begin: () => Promise<boolean>,
): Promise<SendResult | undefined> {
  const code = await whyNotToGive(house, token, containerId, permissions)
  if (code !== undefined) return { outcome: { kind: 'not-done', code } }
  if (!(await begin())) return undefined
  const endsAt = ends && 'at' in ends ? ends.at : 0
  const key = { workspaceId: asker.workspaceId, id: endId }
  const moved = await house.storage.ends.change(key, (end, now) => {
    const isStill = end.endsAt > now && end.endsAt < endsAt
    const isAllowed = tooLong(house.config, end, endsAt).length === 0
    return isStill && isAllowed ? endingAtStep(endsAt)(end, now) : undefined
  })
  if (moved === undefined) return { outcome: { kind: 'not-done', code: 'changed' } }
  return { outcome: { kind: 'done', on: 'seen' } }
}
