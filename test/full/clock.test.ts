// The clock of the machine jumps: nobody notices.
import { expect, it } from 'vitest'
import { openMortalWorld } from './faults/mortal.ts'

const patient = { limitMs: 60_000 }

it.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])(
  'an hour %s: a live card goes on, and what is granted is told once',
  async (_, ms) => {
    const world = await openMortalWorld()
    const { alice, general, service } = world
    await world.start({ WATCH_INTERVAL_SECONDS: '1' })
    await world.connect()
    const alert = service.addAlert({ ks: 'live', message: 'Disk full' })
    await alice.types('/alert live watch', general)
    const card = await alice.sees(/Disk full[\s\S]*👁/, general, patient)
    await alice.sees('No actions', card, patient)

    world.clock.move(ms)

    alert.act({ kind: 'Comment', data: { userId: 7, message: 'after the jump' } })
    await alice.sees('after the jump', card, patient)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('✅ Granted', general, patient)
    expect(card.thread.filter(({ plain }) => plain.includes('after the jump'))).toHaveLength(1)
    expect(alice.messages(general).filter(({ plain }) => plain.includes('Granted'))).toHaveLength(1)
  },
  300_000,
)
