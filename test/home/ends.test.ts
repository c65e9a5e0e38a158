// Access that ends by itself, on the Home tab: each of its buttons draws the tab again, and says one thing.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { looksAtHome } from './looks-at-home.ts'

const hourMs = 3_600_000
const row = 'dave@example.com · Viewer on Customer 1 (12)\n'

async function given() {
  const world = await openWorld()
  const { alice, general, slack } = world
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
  await alice.types('/grant 12 dave@example.com viewer for 4h', general)
  await alice.sees('✅ Granted', general)
  await slack.idle()
  const said = (person: typeof alice) => person.messages(person.dm).map(({ plain }) => plain)
  const until = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return { world, ...world, dave, said, until, endsAt: world.clock.now() + 4 * hourMs }
}

describe('access that ends, on the Home tab', () => {
  it('shows its later time at once, so that nobody presses again', async () => {
    const { world, alice, endsAt, until, said, slack } = await given()
    const home = await looksAtHome(alice, world)
    expect(home.plain).toContain(`${row}until ${until(endsAt)}`)
    await alice.presses('Extend by 4 hours', home)
    await alice.seesHome(`${row}until ${until(endsAt + 4 * hourMs)}`)
    await slack.idle()
    expect(said(alice)).toEqual([expect.stringContaining('keeps Viewer on')])
  })

  it.each([
    ['Keep for good', 'dave@example.com keeps Viewer on Customer 1 (12) for good.'],
    ['Remove now', '✅ Ended: dave@example.com no longer has Viewer on Customer 1 (12).'],
  ])('leaves it after %s, which is said once', async (label, words) => {
    const { world, alice, said, slack } = await given()
    await alice.presses(label, await looksAtHome(alice, world))
    await alice.seesHome(/^(?![\s\S]*Access that ends)/)
    await slack.idle()
    expect(said(alice)).toEqual([expect.stringContaining(words)])
  })

  it('leaves it after I’m done, and its reader hears once that it is gone', async () => {
    const { world, alice, dave, said, slack, service } = await given()
    const home = await looksAtHome(dave, world)
    expect(home.plain).toContain('You · Viewer on container 12')
    const before = said(dave).length
    await dave.presses('I’m done', home)
    await dave.seesHome(/^(?![\s\S]*Access that ends)/)
    await dave.sees('has ended', dave.dm)
    await alice.sees('✅ Ended', alice.dm)
    await slack.idle()
    expect(said(dave).slice(before)).toHaveLength(1)
    expect(service.membersOf(12)).toEqual([])
  })

  it('comes back where nobody could end it', async () => {
    const { world, alice, dave, service, slack } = await given()
    service.trouble.answer(403, { only: 'DELETE' })
    await dave.presses('I’m done', await looksAtHome(dave, world))
    await alice.sees('⚠️ dave@example.com still has Viewer', alice.dm)
    await slack.idle()
    expect((await looksAtHome(dave, world)).plain).toContain('You · Viewer on container 12')
  })
})
