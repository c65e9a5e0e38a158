// Secrets: none of them can be read in what happened.
import { describe, expect, it } from 'vitest'
import { seedTokens } from '../../../playground/monitor/seed/seed-people.ts'
import { createMask } from '../../../playground/server/happenings/mask.ts'
import { pageWorld } from '../page-server-world.ts'

const world = pageWorld()
const { text, json } = createMask(['xoxb-1', 'demo-token'])

describe('somebody who connects', () => {
  it('leaves no token in what happened, and no secret is in there', async () => {
    const page = await world.live('carol')
    const { demoToken } = page.state.viewer
    await world.types('carol', '/alert connect')
    const form = await page.shows(({ modals }) => modals.at(-1))

    const field = { viewId: form.id, blockId: 'token-0', actionId: 'token' }
    await world.act('carol', { do: 'fill', ...field, value: 'somebody-else’s-real-one' })
    await world.act('carol', { do: 'submit', viewId: form.id })
    await page.over('carol pressed “Connect account”')
    await world.act('carol', { do: 'fill', ...field, value: demoToken })
    await world.act('carol', { do: 'submit', viewId: form.id })
    await page.shows(({ modals }) => JSON.stringify(modals).includes('Connected.') || undefined)
    // Her own would not be sent.
    await world.types('carol', `/alert ${seedTokens.bob}`)
    const leak = await page.over('carol typed /alert ••••')

    expect(leak.steps.map(({ title }) => title)).toContain('GET /alert/••••')
    const { slack } = world.playground
    const told = page.sent('happening')
    expect(told).toContain('response_url')
    for (const secret of [
      ...Object.values(seedTokens),
      'somebody-else’s-real-one',
      ...[slack.botToken, slack.appToken, slack.signingSecret, slack.workspace.verificationToken],
      ...slack.deliveries.flatMap(({ request }) => request?.headers['x-slack-signature'] ?? []),
    ]) {
      expect(told).not.toContain(secret)
    }
    expect(told).toMatch(/\/commands\/T[A-Z0-9]+\/\d+\/••••/)
    expect(told).not.toMatch(/\/(commands|actions)\/T[A-Z0-9]+\/\d+\/[^•]/)
  })

  it('leaves none of Slack’s secrets in what people see', async () => {
    const page = await world.live('alice')
    const { slack } = world.playground

    for (const secret of [slack.botToken, slack.appToken, slack.signingSecret])
      expect(page.sent('state')).not.toContain(secret)
  })
})

describe('a mask', () => {
  it('covers secrets wherever they stand in a text', () => {
    expect(text('Bearer xoxb-1, demo-tokens')).toBe('Bearer ••••, ••••s')
    expect(text('http://127.0.0.1:3000/connect/aB-3_x?y')).toBe(
      'http://127.0.0.1:3000/connect/••••?y',
    )
    expect(json({ a: [{ 'xoxb-1': 'is xoxb-1' }] })).toEqual({ a: [{ '••••': 'is ••••' }] })
  })

  it('covers tokens that were typed where they do not belong, and no words of the bot', () => {
    expect(text('alice typed /alert connect made-up-token in #on-call')).toBe(
      'alice typed /alert connect •••• in #on-call',
    )
    expect(json({ command: '/alert', text: 'connect made-up-token' })).toMatchObject({
      text: 'connect ••••',
    })
    for (const said of ['connect', 'alert connect', '@Bellhop connect', '@Bellhop /alert connect'])
      expect(text(`alice wrote “${said} made-up-token” to Bellhop`)).toBe(
        `alice wrote “${said} ••••” to Bellhop`,
      )
    expect(json({ text: '<@U01> connect made-up-token' })).toEqual({ text: '<@U01> connect ••••' })
    expect(json({ text: 'alert connect made-up-token' })).toEqual({ text: 'alert connect ••••' })
    expect(text('is xoxp-12345678-abc one?')).toBe('is •••• one?')
    expect(text('Connect account')).toBe('Connect account')
    expect(text('Connect your account again within 15 minutes')).toContain('your account')
  })
})
