// Every way to *Connect account* leads to the page, where there is one.
import { describe, expect, it } from 'vitest'
import { bobToken, diskFull, type World } from '../world.ts'
import { isTakenAway, linkAfter, linkIn, openPublicWorld, opensLink } from './on-token-page.ts'

const link = 'https://monitor.example.com/alert/5HkX'
const minutes = 60_000

async function open(): Promise<World> {
  const world = await openPublicWorld()
  world.service.addAlert(diskFull)
  return world
}

describe('the page is where it leads to', () => {
  it('from /alert connect', async () => {
    const world = await open()
    const { bob, general } = world
    await bob.types('/alert connect', general)
    const modal = await bob.seesModal('Connect account')

    const page = await (await opensLink(await linkIn(world, bob, modal))).sends(bobToken)

    expect(page.text).toContain(
      'You’re connected as @bob in the Slack workspace Playground. Back to Slack',
    )
    await expect.poll(() => bob.modal?.plain).toContain('Connected.')
  })

  it.each([
    ['a mention', '@Bellhop alert 5HkX'],
    ['a mention that asks for nothing else', '@Bellhop connect'],
    ['a link that somebody posts', `Look: ${link}`],
  ])('from %s', async (_, words) => {
    const world = await open()
    const { alice, bob, general } = world
    const said = bob.says(words, general)
    const prompt = await bob.sees(/(own|your) monitoring account|You posted a link/, general)
    await alice.doesNotSee(/monitoring account|You posted/, general)
    expect(
      (await (await opensLink(await linkAfter(world, bob, prompt))).sends(bobToken)).text,
    ).toContain('You’re connected as')
    if (words.includes(link)) await alice.seesUnfurl('Disk full', said)
    else if (words.includes('5HkX')) await alice.sees('Disk full', general)
    if (words.includes('5HkX')) await isTakenAway(prompt)
    await world.slack.idle()
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
    await (await opensLink(await linkIn(world, bob, modal))).sends(bobToken)

    await bob.seesHome('Connected since')
    await expect.poll(() => bob.modal?.plain).toContain('Connected.')
  })
})
