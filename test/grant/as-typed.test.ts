// Lines of `/grant` come back as they were typed, can be pasted back, and are read in any order that has one meaning.
import { describe, expect, it } from 'vitest'
import { openWorld, type World } from '../world.ts'

const bodies = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => ({ path, body }))

/** The line that Bellhop repeats, as somebody copies it. */
function repeated(plain: string): string {
  return /You typed:\s*(.*)$/m.exec(plain)?.[1] ?? `nothing repeated in: ${plain}`
}

describe('a /grant line with a mistake', () => {
  it.each([
    '/grant 34 dave@example.com viewer wizardry',
    '/grant 34 @dave viewer wizardry',
    '/grant 34 <dave@example.com> viewer & wizardry',
    '/grant 34 dave@example.com viewer #general https://monitor.example.com/a?b=1&c=2 wizardry',
    '/grant 34 o\'hara+ops@example.com "viewer" wizardry',
  ])('is repeated as it was typed, without Slack’s encodings: %s', async (line) => {
    const { alice, general, slack } = await openWorld()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })

    await alice.types(line, general)

    expect(repeated((await alice.sees('You typed:', general)).plain)).toBe(line)
  })

  it('is repeated with the name of whom Slack gives by id alone, as in messages', async () => {
    const { alice, general, slack } = await openWorld()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })

    await alice.says(`@Bellhop grant 34 @dave wizardry`, general)

    expect(repeated((await alice.sees('You typed:', general)).plain)).toBe('/grant 34 @dave wizardry')
  })
})

describe('angle brackets', () => {
  it('are read around the link of an alert', async () => {
    const { alice, general, service } = await openWorld()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })

    await alice.types('/alert <https://monitor.example.com/alert/5HkX>', general)

    await alice.sees('Disk full', general)
  })
})

describe('the parts of a /grant line', () => {
  it.each([
    '/grant viewer dave@example.com 12',
    '/grant 12 viewer dave@example.com',
    '/grant viewer 12 dave@example.com',
    '/grant dave@example.com viewer 12',
  ])('are taken in the order of %s', async (line) => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types(line, general)

    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ path: '/container/12/user', body: { email: 'dave@example.com' } }])
  })

  it('name nobody by a bare name: Bellhop says how to pick somebody, and sends nothing', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 34 bob viewer', general)

    const answer = await alice.sees('“bob” isn’t an email address', general)
    expect(answer.plain).toContain('type @bob and pick the name from Slack’s list')
    expect(bodies(world)).toEqual([])
  })
})

describe('an address', () => {
  it('goes out with the straight apostrophe that it has, where a phone typed a curly one', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addUser({ email: "o'hara+ops@example.com" })

    await alice.types('/grant 12 o’hara+ops@example.com viewer', general)

    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ body: { email: "o'hara+ops@example.com" } }])
  })
})
