// Wherever an alert is asked for, only whoever asked hears that it can’t be shown.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { withAlert } from '../act/on-card.ts'
import { aliceToken, connects, openWorld, type World } from '../world.ts'

const link = 'https://monitor.example.com/alert/5HkX'

/** Asks; resolves to where the answer is to be found. */
type Surface = (world: World) => Promise<SeenMessage | World['general']>

const surfaces: Readonly<Record<string, Surface>> = {
  async 'the command'({ alice, general }) {
    await alice.types('/alert 5HkX', general)
    return general
  },
  async 'the form'({ alice, general }) {
    await alice.usesShortcut('alert.look-up')
    await alice.seesModal('Look up an alert')
    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })
    return general
  },
  async 'a mention'({ alice, general }) {
    alice.says('@Bellhop alert 5HkX', general)
    return general
  },
  async 'a mention in a thread'({ alice, bob, general }) {
    const parent = bob.says('What is going on?', general)
    alice.says('@Bellhop alert 5HkX', parent)
    return alice.sees('What is going on?', general)
  },
  async 'the menu of a message in a thread'({ alice, bob, general }) {
    const reply = bob.says(link, bob.says('What is going on?', general))
    await alice.usesShortcut('alert.look-up-in-message', reply)
    return alice.sees('What is going on?', general)
  },
  async 'words in the direct message'({ alice }) {
    alice.says('alert 5HkX', alice.dm)
    return alice.dm
  },
  async 'words in a thread of the direct message'({ alice }) {
    const parent = alice.says('Good night', alice.dm)
    alice.says('alert 5HkX', parent)
    return parent
  },
}

describe.each(Object.entries(surfaces))('asked by %s', (name, ask) => {
  const isShared = !name.includes('direct')

  it('the asker alone is told that there is none', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    const words = 'no alert “5HkX”'

    const where = await ask(world)

    const told = await alice.sees(words, where)
    if (isShared) expect(told.isEphemeral).toBe(true)
    const seenByBob = bob.messages(general).flatMap((message) => [message, ...message.thread])
    expect(seenByBob.map(({ plain }) => plain).join()).not.toContain(words)
  })

  it('without an account, it waits for one and then goes on there', async () => {
    const { world, alice } = await withAlert({ isAliceConnected: false })
    const where = await ask(world)
    await connects(alice, aliceToken, await alice.sees('I need your monitoring account', where))

    await alice.sees('Disk full', where)
  })
})
