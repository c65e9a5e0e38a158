// Links to users of monitoring on the Home tab: what people see of their own there, and how they correct it.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { linkedCard, onCall, takenBy } from '../act/on-card.ts'
import type { World } from '../world.ts'
import { looksAtHome } from './looks-at-home.ts'

/** Presses *Assign to me* for the first time, and chooses. */
async function saysWho(person: Person, who: string, world: World): Promise<void> {
  await person.presses('Assign to me', await linkedCard(world, person, ' private'))
  await person.seesModal('Who are you?')
  await person.submits({ fields: { 'Which of these are you?': who } })
  await world.slack.idle()
}

describe('the Home tab of somebody who is linked', () => {
  it('says nothing of it before, and their name once their assignment has shown it', async () => {
    const world = await onCall()
    world.service.behaves({ addresses: 'none' })
    const { alice } = world
    expect((await looksAtHome(alice, world)).plain).not.toContain('in monitoring.')

    await saysWho(alice, 'Alice Archer', world)

    const home = await looksAtHome(alice, world)
    expect(home.plain).toContain('You’re Alice Archer in monitoring.')
    expect(home.buttons.at(-1)).toBe('Forget')
  })

  it('can be forgotten, and Take over asks again', async () => {
    const world = await onCall()
    world.service.behaves({ addresses: 'none' })
    const { alice, service, clock } = world
    await saysWho(alice, 'Alice Archer', world)
    await alice.presses('Forget', await looksAtHome(alice, world))
    await expect.poll(() => alice.home?.buttons).not.toContain('Forget')
    expect(alice.home?.plain).not.toContain('in monitoring.')

    takenBy(world, 8)
    clock.advance(11_000)
    await alice.types(`/alert ${service.linkOf('5HkX')}`, world.general)
    await alice.presses('Take over', await alice.sees('assigned to Bob Baker', world.general))
    await alice.seesModal('Who are you?')
  })
})
