// A channel that follows a container gets one message a day: what the night was.
import { describe, expect, it } from 'vitest'
import { clockIn, goes, inWords, seesDailies } from './daily.ts'
import { followed, openCustomer, opens } from './follow.ts'

describe('the daily message', () => {
  it('says before and after that it comes, and tells what the night was', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    const time = clockIn(world, 12)
    const own = await followed(world, ` daily ${time}`)
    expect(own.plain).toContain(
      `Posts what the night was every day at ${inWords(time)} (Europe/Amsterdam).`,
    )
    const disk = opens(world, 'disk', { message: 'Disk full', severity: 3 })
    const mail = opens(world, 'mail', { message: 'Queue grows', severity: 4 })
    opens(world, 'raid', { message: 'Array degraded', severity: 2 })
    opens(world, 'swap', { message: 'Swap in use', severity: 1 }).act({
      kind: 'Assign',
      data: { userId: 8, ownerId: 8, message: '' },
    })
    await goes(world, 2)
    disk.close('Close', { userId: 8 })
    mail.close('AutoClose')
    await goes(world, 12)

    const [daily] = await seesDailies(world, 1)
    expect(daily?.plain).toBe('')
    void alice
    void bob
    void general
  })
})
