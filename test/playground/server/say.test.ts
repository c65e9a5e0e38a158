// Lines typed into the message box: commands, messages, and what Slackbot says to the rest.
import { describe, expect, it } from 'vitest'
import { readManifest } from '../../../playground/server/manifest.ts'
import { lines, pageWorld } from '../page-server-world.ts'

const world = pageWorld({ isSocket: true })

describe('a command', () => {
  it('reaches a bot that is connected by Socket Mode, and everybody sees its card', async () => {
    const [alice, bob] = [await world.live('alice'), await world.live('bob')]

    await world.types('alice', '/alert one-hit')

    for (const page of [alice, bob]) {
      await page.shows(({ messages }) => messages.find(({ text }) => text.includes('Certificate expires')))
    }
    const { steps } = await alice.over('alice typed /alert one-hit')
    expect(lines(steps.slice(0, 2))).toEqual([
      'slack → bot /alert ack',
      'bot → service GET /alert/one-hit 200',
    ])
  })
})

describe('the manifest', () => {
  it('names the commands that the message box knows', async () => {
    const { state } = await world.live('alice')

    expect(state.commands).toMatchObject([
      { name: '/alert', description: 'Look up an alert' },
      { name: '/grant' },
      { name: '/invite' },
    ])
    expect(state.home.isEnabled).toBe(readManifest().hasHomeTab)
  })

  it('that is none is refused', () => {
    expect(() => readManifest('features: {}')).toThrow('slash_commands')
  })
})
