// The menu “Trouble”: what a person then sees, and that what happens once goes off by itself.
import { describe, expect, it } from 'vitest'
import { seedTokens } from '../../../playground/monitor/seed/seed-people.ts'
import { type LivePage, pageWorld } from '../page-server-world.ts'

const world = pageWorld()

async function switches(id: string, isOn: boolean, as = 'alice'): Promise<void> {
  expect(await world.act(as, { do: 'trouble', id, isOn })).toBeUndefined()
}

/** Types it, and waits for something like that among what came since. */
async function seesAfter(page: LivePage, line: string, pattern: RegExp, as = 'alice') {
  const before = page.state.messages.length
  await world.types(as, line)
  const seen = await page.shows(({ messages }) =>
    messages.slice(before).find(({ text }) => pattern.test(text)),
  )
  return { seen, steps: (await page.over(`${as} typed ${line}`)).steps }
}

describe('the menu', () => {
  it('says of everything in plain words what it is and how to see it, and all of it is off', async () => {
    const { state } = await world.live('carol')

    expect(state.troubles.length).toBeGreaterThan(10)
    for (const { label, hint, isOn: isSwitchedOn } of state.troubles) {
      expect(label).toMatch(/^[A-Z][^!]+[^.!]$/)
      expect(hint).toMatch(/^[A-Z].+\.$/)
      expect(isSwitchedOn).toBe(false)
    }
    expect(state.troubles.map(({ label }) => label)).toContain('Carol Chen’s token is revoked')
  })
})

describe('a service in whose documentation there is a gap', () => {
  async function asks(method: string, path: string, body?: unknown) {
    const response = await fetch(`${world.playground.service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${seedTokens.alice}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.status === 200 ? response.json() : response.status
  }

  it('may hide who is no member', async () => {
    const names = async () => JSON.stringify(await asks('GET', '/container/12/users?fields=name'))
    expect(await names()).toContain('Carol Chen')
    await switches('service-hides-people', true)

    expect(await names()).not.toContain('Carol Chen')
    expect(await names()).toContain('Bob Baker')

    await switches('service-hides-people', false)
    expect(await names()).toContain('Carol Chen')
  })

  it('may show later what was written', async () => {
    await switches('service-shows-later', true)
    expect(await asks('PUT', '/alert/one-hit/assign', { userId: 8 })).toBe(204)

    expect(await asks('GET', '/alert/one-hit?fields=ownerId')).toEqual({ ownerId: null })
    expect(world.playground.service.alert('one-hit')?.values.ownerId).toBe(8)

    await switches('service-shows-later', false)
    expect(world.playground.service.ways.visible).toBe('at-once')
  })

  it('may open again what was closed too early, for who closed it', async () => {
    await switches('service-reopens', true)
    expect(await asks('PUT', '/alert/replica-lag/close', { message: 'Fixed' })).toBe(204)
    await switches('service-reopens', false)

    expect(world.playground.service.reopen('replica-lag').values).toMatchObject({
      ownerId: 7,
      closedTimestamp: null,
    })
    await asks('PUT', '/alert/replica-lag/close', {})
    expect(world.playground.service.ways.reopens).toBe('never')
  })

  it('may refuse flags that the giver lacks', async () => {
    const page = await world.live('alice')
    await switches('service-ceiling', true)

    await seesAfter(page, '/grant 12 grace@example.com READ REPORTING_VIEW', /Not granted/)
    await switches('service-ceiling', false)

    await seesAfter(page, '/grant 12 grace@example.com REPORTING_VIEW', /Granted/)
  })
})
