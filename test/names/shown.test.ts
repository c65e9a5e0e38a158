// Names on cards: on the asker's own card, when they come, and what a card is like without them.
import { describe, expect, it } from 'vitest'
import {
  asked,
  editsOf,
  link,
  namedCard,
  namesPath,
  nextCard,
  openShown,
  taken,
} from './shown-world.ts'

describe('a card', () => {
  it('does not wait long for names; they come with its next drawing', async () => {
    const world = await openShown({ budgetMs: 20_000 })
    const { alice, general, service, slack } = world
    const release = service.trouble.hold({ only: { path: namesPath } })
    const before = service.requests.length

    await alice.types(`/alert ${link}`, general)
    const card = await alice.sees('Disk full', general)
    expect(card.plain).toMatch(/ · assigned\n/)
    expect(asked(world, before).slice(0, 2)).toEqual([
      '/asset/34/alerts alice',
      '/alert/5HkX alice',
    ])
    release()
    await slack.idle()
    expect(editsOf(world, card)).toBe(0)

    await alice.presses('Refresh', card)
    await alice.sees('Customer 1 (12)', general)
    expect(card.plain).toMatch(/\nasset-34 · CRITICAL · opened .* · assigned to Alice Archer\n/)
    expect(card.plain).toMatch(/\n5HkX · Customer 1 \(12\) · asked by alice · \d/)
    expect(card.text).toContain('assigned to Alice Archer')
    expect(asked(world, before).slice(2).toSorted()).toEqual([
      '/alert/5HkX alice',
      '/asset/34 alice',
      '/container/12 alice',
      // A link may say anything.
      '/container/12/alerts alice',
      '/container/12/users alice',
    ])
  })

  it('asks for nothing but its alert, and is not edited, where its names are known', async () => {
    const world = await openShown()
    await namedCard(world)
    const { service, slack, clock } = world
    clock.advance(60_000)
    const before = service.requests.length

    const card = await nextCard(world, '/alert 5HkX')
    await slack.idle()

    expect(card.plain).toMatch(/ · assigned to Alice Archer\n[\s\S]*Customer 1 \(12\)/)
    expect(editsOf(world, card)).toBe(0)
    expect(asked(world, before)).toEqual(['/alert/5HkX alice'])
  })

  it('says who took it, to whom it was given, who commented and who closed it', async () => {
    const world = await openShown(
      {},
      {
        ownerId: 9,
        actions: [
          taken(7),
          taken(7, 9),
          { kind: 'Comment', timestamp: 1_700_000_090, data: { userId: 9, message: 'Old logs.' } },
        ],
      },
    )
    const card = await namedCard(world)
    const history = await world.alice.sees('History', card)
    expect(history.plain).toContain('Alice Archer took it: “I take this one.”')
    expect(history.plain).toContain('Alice Archer assigned it to Dave Doe: “I take this one.”')
    expect(history.plain).toContain('Dave Doe: “Old logs.”')
    expect(history.pings).toEqual([])

    world.service.alert('5HkX')?.close('Close', { userId: 8, message: 'Rotated.' })
    await world.alice.presses('Refresh', card)
    await world.alice.sees('Bob Baker closed it: “Rotated.”', card)
    await expect
      .poll(() => card.plain)
      .toMatch(/^✅ .*\nasset-34 · Closed by Bob Baker .*, after .* · was CRITICAL/)
    expect(card.text).toContain('Closed by Bob Baker')
  })

  it.each([
    ['may not read', { token: ['API'], ways: {} }],
    ['is shown nobody', { token: undefined, ways: { people: 'members' } }],
  ] as const)('of somebody who %s people is as ever', async (_, { token, ways }) => {
    const world = await openShown()
    const { alice, general, service, slack } = world
    service.behaves(ways)
    for (const [id, email] of [
      [7, 'alice'],
      [8, 'bob'],
      [9, 'dave'],
    ] as const) {
      service.addMember(12, { id, email: `${email}@example.com`, isHidden: true })
    }
    if (token !== undefined) service.trouble.answer(403, { only: { path: namesPath } })
    await alice.types(`/alert ${link}`, general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('Somebody took it', card)
    await slack.idle()
    expect(card.plain).toMatch(/ · assigned\n/)
    expect(card.plain.includes('Customer 1')).toBe(token === undefined)
  })
})

describe('a link that names another container', () => {
  it('does not put that customer’s name on the card, nor offer access there', async () => {
    const world = await openShown()
    const { alice, general, service } = world
    service.addContainer(3456, { name: 'Customer 2', users: [] })

    await alice.types(`/alert ${link.replace('container/12', 'container/3456')}`, general)
    const card = await alice.sees('Disk full', general)
    expect(card.plain).not.toContain('3456')

    await alice.presses('Grant access', card)
    const form = await alice.seesModal('Grant access')
    expect(form.plain).not.toContain('3456')
  })
})

describe('names', () => {
  it('that mean something elsewhere are shown as they are, short, on one line, and ping nobody', async () => {
    const world = await openShown()
    const { alice, general, service, slack } = world
    const name = `<!channel> *b* \`c\` :tada: \u202eevil\n${'🔥'.repeat(500)}`
    service.addMember(12, { id: 7, email: 'alice@example.com', name })
    service.addContainer(12, { name, users: [{ id: 7, email: 'alice@example.com' }] })
    await alice.types(`/alert ${link}`, general)
    const card = await alice.sees('(12)', general)
    await slack.idle()
    const history = await alice.sees('took it', card)

    for (const { plain, pings, text } of [card, history]) {
      expect(plain).toContain('<!channel> *b* `c` :tada: evil')
      expect(plain).not.toMatch(/🔥|\u202e/u)
      expect(pings).toEqual([])
      expect(text).not.toContain('<!channel>')
    }
  })
})
