// Lengths of solutions that containers ask for: read where the form opens, with the presser’s own token.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { link, openShown } from '../names/shown-world.ts'
import type { World } from '../world.ts'

const isSolution = { Solution: ['This is the solution'] }

async function withShortest(length: unknown): Promise<{ world: World; card: SeenMessage }> {
  const world = await openShown()
  const { alice, general, service, slack } = world
  service.addContainer(12, {
    name: 'Customer 1',
    properties: { infrasonar_alert_minimum_solution_length: length },
  })
  await alice.types(`/alert ${link}`, general)
  const card = await alice.sees('Customer 1 (12)', general)
  await slack.idle()
  return { world, card }
}

const reads = ({ service }: World) =>
  service.requests.filter(({ path }) => path === '/container/12' || path.startsWith('/container/12?'))

describe('a container that asks for another length of solutions', () => {
  it('has its length in the form, which refuses less and takes more', async () => {
    const { world, card } = await withShortest(100)
    const { alice, general } = world
    await alice.presses('Close alert', card)
    expect((await alice.seesModal('Close alert')).plain).toContain(
      'A solution needs at least 100 characters.',
    )

    await alice.submits({ fields: { 'What was it?': 'x'.repeat(73), ...isSolution } })
    expect(alice.modal?.errors).toEqual({
      'What was it?': expect.stringContaining('A solution needs 100 characters, and that’s 73.'),
    })
    await alice.submits({ fields: { 'What was it?': 'x'.repeat(100), ...isSolution } })
    await alice.sees('Closed: alert', general)
  })

  it('takes a shorter one, from the form and on a line', async () => {
    const { world, card } = await withShortest('20')
    const { alice, general, service } = world
    await alice.presses('Close alert', card)
    expect((await alice.seesModal('Close alert')).plain).toContain('at least 20 characters')
    await alice.submits({ fields: { 'What was it?': 'x'.repeat(20), ...isSolution } })
    await alice.sees('Closed: alert', general)
    const last = service.requests.filter(({ method }) => method === 'PUT').at(-1)
    expect(last?.body).toMatchObject({ isSolution: true })
  })

  it('is asked once in ten minutes, with the presser’s token alone', async () => {
    const { world, card } = await withShortest(100)
    const { alice } = world
    const before = reads(world).length
    for (let times = 0; times < 2; times += 1) {
      await alice.presses('Close alert', card)
      await alice.seesModal('Close alert')
      await alice.closes()
    }
    expect(reads(world)).toHaveLength(before + 1)
    expect(reads(world).at(-1)?.token).toBe('alice')
  })

  it.each([
    ['of letters', 'many'],
    ['of nothing', 0],
    ['beyond every text', 5_000],
  ])('is taken for the usual one where its property is %s', async (_, length) => {
    const { world, card } = await withShortest(length)
    await world.alice.presses('Close alert', card)
    expect((await world.alice.seesModal('Close alert')).plain).toContain('at least 60 characters')
  })

  it('does not keep the form from opening while monitoring is slow', async () => {
    const { world, card } = await withShortest(100)
    const release = world.service.trouble.hold({ only: { path: /^\/container\// } })
    await world.alice.presses('Close alert', card)
    expect((await world.alice.seesModal('Close alert')).plain).toContain('at least 60 characters')
    release()
  })
})
