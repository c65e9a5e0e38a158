// Each list of Bellhop's, made too long for one message of Slack: every row of it is reached, once, by *Show more*.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import { gave } from '../ends/many.ts'
import { followed, openCustomer } from '../follow/follow.ts'
import { copyDocs, diskFull, liveCard } from '../live/live.ts'
import { openWorld, type World } from '../world.ts'
import { long, many } from './long.ts'

const names = (word: string, length: number) => many(length, (at) => `${word}${at}-`)

/** Types a line, then presses *Show more* until there is none. @returns What each page named, in order. */
async function walked({ alice, slack }: World, line: string, row: RegExp, where: Channel) {
  await alice.types(line, where)
  await slack.idle()
  const list = () => alice.messages(where).at(-1)
  const told = alice.messages(where).length
  const pages: string[][] = []
  for (;;) {
    const { plain = '', message, buttons = [] } = list() ?? {}
    const rows = plain.match(row) ?? []
    // Where Slack doesn’t take the blocks, the sentence names the same.
    expect(message?.text.match(row)).toEqual(rows)
    expect(message?.text.length).toBeLessThan(4_000)
    pages.push(rows)
    // A page stands in place of the one before.
    expect(alice.messages(where)).toHaveLength(told)
    if (!buttons.includes('Show more')) return pages
    await alice.presses('Show more', list())
    await slack.idle()
  }
}

describe('a list that is too long for one message', () => {
  it('of access that ends', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    const people = names('dave', 50)
    for (const name of people) service.addUser({ email: `${name}@example.com` })
    for (const from of [0, 20, 40]) {
      const line = people.slice(from, from + 20).map((name) => `${name}@example.com`)
      await alice.types(`/grant 12 ${line.join(',')} viewer for 4h`, general)
      await slack.idle()
    }

    const pages = await walked(world, '/grant due', /dave\d+-/g, general)

    expect(pages.flat().toSorted()).toEqual(people.toSorted())
  })

  it('of access that ends in one container alone, which each page keeps to', async () => {
    const world = await openWorld()
    const { alice, general } = world
    const ends = await gave(
      world,
      many(50, (at) => ({ containerId: at % 2 === 0 ? 12 : 34 })),
    )
    const emails = ends.flatMap(({ containerId, whom }) => (containerId === 12 ? whom.email : []))

    const pages = await walked(world, '/grant due 12', /person-\d+@example\.com/g, general)

    expect(pages.flat().toSorted()).toEqual(emails.toSorted())

    await alice.types('/grant due 12 nobody@example.com', general)
    await expect
      .poll(() => alice.messages(general).at(-1)?.text)
      .toContain('Nothing like that ends by itself')
  })

  it('of who is on a container and who is invited', async () => {
    const world = await openWorld()
    const { general, service } = world
    const [people, invited] = [names('dave', 45), names('new', 45)]
    const permissions = ['READ', 'API', 'WEBHOOKS']
    for (const name of people)
      service.addMember(12, { email: `${name}${'&'.repeat(60)}@example.com`, permissions })
    for (const name of invited)
      service.addInvitation(12, { email: `${name}${long(150)}@example.com`, permissions })

    service.addMember(12, { email: 'dave0-other@example.com', permissions: ['READ'] })

    const pages = await walked(
      world,
      '/grant who 12 webhooks',
      /(?:(?<= · )dave|new)\d+-/g,
      general,
    )

    expect(pages.flat().toSorted()).toEqual([...people, ...invited].toSorted())
  })

  it('of what is open', async () => {
    const world = await openWorld()
    const { general, service } = world
    const keys = names('host', 45)
    for (const ks of keys)
      service.addAlert({ ks: `${ks}${long(900)}`, message: 'Disk full', containerId: 12 })

    const pages = await walked(world, '/alert open 12', /host\d+-/g, general)

    expect(pages.flat().toSorted()).toEqual(keys.toSorted())
  })

  it('of what somebody watches', async () => {
    const world = await openWorld()
    const { general, service } = world
    service.addAlert({ ...diskFull, message: `Disk full ${long(60)}` })
    await liveCard(world)
    await copyDocs(world, 'live-card', 50)

    const pages = await walked(world, '/alert watches', /Disk full/g, general)

    expect(pages.flat()).toHaveLength(50)
  })

  it('of what channels follow', async () => {
    const world = await openCustomer()
    const { alice, slack } = world
    await followed(world)
    await copyDocs(world, 'follow', 50)

    const pages = await walked(world, '/alert follows', /^Following Customer 1/gm, alice.dm)

    expect(pages.flat()).toHaveLength(50)
    await slack.idle()
  })
})
