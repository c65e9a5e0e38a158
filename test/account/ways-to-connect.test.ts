// Every way to *Connect account* leads to the page, where there is one.
import { describe, expect, it } from 'vitest'
import type { SeenMessage, SeenModal } from '../../playground/slack/person/seen.ts'
import { bobToken, diskFull, type World } from '../world.ts'
import { connectsAt, isTakenAway, openPublicWorld } from './on-token-page.ts'

const link = 'https://monitor.example.com/alert/5HkX'
const minutes = 60_000

async function open(): Promise<World> {
  const world = await openPublicWorld()
  world.service.addAlert(diskFull)
  return world
}

/** Presses the button as well, as whoever follows a link does. */
async function follows(world: World, person: World['bob'], seen: SeenMessage | SeenModal, token: string) {
  await person.presses('Connect account', seen)
  return connectsAt(world, seen, token)
}

describe('the page is where it leads to', () => {
  it('from /alert connect', async () => {
    const world = await open()
    const { bob, general } = world
    await bob.types('/alert connect', general)
    const prompt = await bob.sees('Bellhop then acts as you', general)
    expect(prompt.isEphemeral).toBe(true)
    expect(bob.modal).toBeUndefined()

    const page = await follows(world, bob, prompt, bobToken)

    expect(page.text).toContain(
      'You’re connected as @bob (“Bob Baker”) in the Slack workspace Playground (playground.slack.com). Back to Slack',
    )
    await isTakenAway(prompt)
  })

  it.each([
    ['a mention', '@Bellhop alert 5HkX'],
    ['a mention that asks for nothing else', '@Bellhop connect'],
  ])('from %s', async (_, words) => {
    const world = await open()
    const { alice, bob, general } = world
    bob.says(words, general)
    const prompt = await bob.sees(/(own|your) monitoring account/, general)
    await alice.doesNotSee('monitoring account', general)
    expect((await follows(world, bob, prompt, bobToken)).text).toContain('You’re connected as')
    if (words.includes('5HkX')) await alice.sees('Disk full', general)
    await world.slack.idle()
  })

  it('from a link that somebody posts', async () => {
    const world = await open()
    const { alice, bob, general } = world
    const posted = bob.says(`Look: ${link}`, general)
    const prompt = await bob.sees('You posted a link to an alert.', general)
    await follows(world, bob, prompt, bobToken)
    await alice.seesUnfurl('Disk full', posted)
    await isTakenAway(prompt)
  })
})

describe('the Home tab, which stands there for days', () => {
  it('shows a fresh link when its button is pressed, and that it worked', async () => {
    const world = await open()
    const { bob, clock } = world
    await bob.opensHome()
    const home = await bob.seesHome('Connect your monitoring account')
    expect(home.urlOf('Connect account')).toBeUndefined()
    clock.advance(2 * 24 * 60 * minutes)

    await bob.presses('Connect account', home)
    const modal = await bob.seesModal('Connect account')
    expect(modal.labels).toEqual([])
    expect(modal.plain).toContain('never passes through Slack')
    await follows(world, bob, modal, bobToken)

    await bob.seesHome('Connected since')
    await expect.poll(() => bob.modal?.plain).toContain('Connected.')
  })
})

it('a link whose button somebody else makes up does them no good', async () => {
  const world = await open()
  const { alice, bob, general, slack } = world
  await bob.types('/alert 5HkX', general)
  const bobs = await bob.sees('I need your monitoring account', general)
  await alice.types('/alert connect', general)
  const own = await alice.sees('Bellhop then acts as you', general)
  const { value = '' } = bobs.control('Connect account')?.element ?? {}

  // Bob's value, in a press of hers: where it stands for Bob does not change.
  const ids = { action_id: 'account.connect-link', block_id: 'b1', type: 'button' }
  await alice.acts(own, { ...ids, value })
  await slack.idle()
  await connectsAt(world, bobs, bobToken)

  await bob.sees('Disk full', general)
  await slack.idle()
  await alice.sees('Bellhop then acts as you', general)
})
