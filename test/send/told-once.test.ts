// One outcome that several people hear, from a process that ends before all of them have.
import { expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import { asksOn, openColleagues } from '../approval/colleagues.ts'

const [hourMs, minuteMs] = [3_600_000, 60_000]

it('is told to those who have not heard it by the next process, and to nobody again', async () => {
  const world = await openColleagues()
  const { bob, carol, dave, clock, general, slack } = world
  world.expectRefusals()
  await bob.types('/grant 12 dave@example.com viewer for 4h', general)
  await asksOn(bob, await bob.sees('[Ask for approval]', general))
  await carol.presses('Approve', await carol.sees('🔑 bob asks', general))
  await bob.sees('✅ Granted by carol', bob.dm)
  await slack.idle()
  // Carol is told first, as it ends with her account.
  const refusesBob = slack.trouble.fail(
    'chat.postMessage',
    { status: 500 },
    {
      times: Number.POSITIVE_INFINITY,
      only: ({ channel }) => channel === bob.id || channel === bob.dm.id,
    },
  )
  clock.advance(4 * hourMs)
  await carol.sees('✅ Ended', carol.dm)
  await slack.idle(300)

  await world.restart()
  refusesBob.cancel()
  clock.advance(minuteMs)

  await bob.sees('✅ Ended', bob.dm)
  await dave.sees('has ended', dave.dm)
  await slack.idle(100)
  const heard = (person: typeof carol, words: string, where: Channel = person.dm) =>
    person.messages(where).filter(({ plain }) => plain.includes(words)).length
  expect(heard(carol, '✅ Ended')).toBe(1)
  expect(heard(bob, '✅ Ended')).toBe(1)
  expect(heard(dave, 'has ended')).toBe(1)
})
