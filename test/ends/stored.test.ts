// Ends as a grant leaves them, by processes that die in between.
import { expect, it } from 'vitest'
import { storeEnds } from '../../src/ends/from-grants.ts'
import { beginStep, createRequest, finishStep, settleStep } from '../../src/send/request.ts'
import { openHouse } from '../house.ts'

const sender = { workspaceId: 'T1', userId: 'U1' }

it('are kept though the process died that stored them, before it noted that', async () => {
  const house = await openHouse()
  const ends = { forMs: 3_600_000 }
  const writes = [
    { kind: 'add-user', containerId: 12, email: 'dave@example.com', permissions: ['READ'], ends },
  ] as const
  const asked = createRequest({ id: 'r1', sender, writes }, house.now())
  const steps = [
    beginStep({ sender, passes: () => true }),
    settleStep({ ...asked, attempt: 1 }, 1, { kind: 'done' }),
    finishStep({ ...asked, attempt: 1 }),
  ]
  const sent = steps.reduce((one, step) => step(one, house.now()) ?? one, asked)
  expect(sent.state).toBe('sent')

  expect(await storeEnds(house, sent)).toEqual([])
  expect(await storeEnds(house, sent)).toEqual([])

  expect(await house.storage.ends.firstDue(1_000)).toMatchObject([{ id: 'r1.1', flags: ['READ'] }])
})
