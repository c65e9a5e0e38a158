// The menu “Trouble”: what a person then sees, and that what happens once goes off by itself.
import { describe, expect, it } from 'vitest'
import { seedTokens } from '../../../playground/monitor/seed/seed-people.ts'
import { type LivePage, lines, pageWorld } from '../page-server-world.ts'

const world = pageWorld()

async function switches(id: string, isOn: boolean, as = 'alice'): Promise<void> {
  expect(await world.act(as, { do: 'trouble', id, isOn })).toBeUndefined()
}

function isOn(page: LivePage, id: string): boolean | undefined {
  return page.state.troubles.find((trouble) => trouble.id === id)?.isOn
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

describe('a service', () => {
  it('that is slow brings the card late, and the ack at once', async () => {
    const page = await world.live('alice')
    await switches('service-slow', true)

    const { steps } = await seesAfter(page, '/alert disk-full', /Disk \/var/)

    const [acked, asked] = steps
    expect(acked).toMatchObject({ outcome: 'ack' })
    expect(asked?.tookMs).toBeGreaterThanOrEqual(3_900)
    expect(acked?.tookMs).toBeLessThan(asked?.tookMs ?? 0)
    await switches('service-slow', false)
  })

  it('that is down is said to be, until it is up again', async () => {
    const page = await world.live('alice')
    await switches('service-down', true)
    await page.shows(() => isOn(page, 'service-down'))

    const { seen } = await seesAfter(page, '/alert one-hit', /isn’t responding/)
    expect(seen.isEphemeral).toBe(true)

    await switches('service-down', false)
    await seesAfter(page, '/alert one-hit', /Certificate expires/)
  })

  it('that is busy asks to wait', async () => {
    const page = await world.live('alice')
    await switches('service-rate-limited', true)

    const { seen, steps } = await seesAfter(page, '/alert long-story', /busy/)

    expect(seen.isEphemeral).toBe(true)
    expect(lines(steps)).toContain('bot → service GET /alert/long-story 429')
    await switches('service-rate-limited', false)
  })

  it('that cuts a grant short has Bellhop look who is there, and does so once', async () => {
    const page = await world.live('alice')
    await switches('service-rate-limited', true)
    await switches('service-cuts-grant', true)
    await switches('service-rate-limited', false)

    const { steps } = await seesAfter(page, '/grant 12 dave@example.com viewer', /Granted: .* now/)

    expect(lines(steps)).toContain('bot → service POST /container/12/user no answer')
    expect(lines(steps).some((line) => line.startsWith('bot → service GET /container/12/users'))).toBe(true)
    expect(world.playground.service.membersOf(12).map(({ email }) => email)).toContain('dave@example.com')
    await page.shows(() => isOn(page, 'service-cuts-grant') === false || undefined)
  })

  it('whose answers are outside the contract is not believed', async () => {
    const page = await world.live('alice')
    await switches('service-malformed', true)

    await seesAfter(page, '/alert odd-kinds', /doesn’t understand/)

    await switches('service-malformed', false)
  })

  it('that revokes a token asks its owner alone to connect again, and takes it back', async () => {
    const [alice, bob] = [await world.live('alice'), await world.live('bob')]
    await switches('service-token-revoked', true, 'bob')

    await seesAfter(bob, '/alert long-message', /no longer accepts/, 'bob')

    expect(isOn(alice, 'service-token-revoked')).toBe(false)
    await switches('service-token-revoked', false, 'bob')
    const asked = world.playground.service.requests.length
    await world.types('alice', '/alert long-message private')
    await alice.over('alice typed /alert long-message private')
    expect(world.playground.service.requests.slice(asked)).toMatchObject([{ token: 'alice', status: 200 }])
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

describe('a Slack', () => {
  it('that asks to wait gets the card later, and asks once', async () => {
    const page = await world.live('alice')
    await switches('slack-rate-limits', true)

    await seesAfter(page, '/alert one-hit', /Certificate expires/)

    const { steps } = await page.over('alice typed /alert one-hit')
    const posts = steps.filter(({ title }) => title === 'chat.postMessage')
    expect(posts.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['ratelimited', 'ok'])
    expect(isOn(page, 'slack-rate-limits')).toBe(false)
  })

  it('that is slow takes its time for messages', async () => {
    const page = await world.live('alice')
    await switches('slack-slow', true)

    const { steps } = await seesAfter(page, '/alert one-hit', /Certificate expires/)

    await switches('slack-slow', false)
    expect(steps.find(({ title }) => title === 'chat.postMessage')?.tookMs).toBeGreaterThanOrEqual(2_400)
  })

  it('that cuts a connection once gets the card another way', async () => {
    const page = await world.live('alice')
    await switches('slack-cuts', true)

    const { steps } = await seesAfter(page, '/alert one-hit', /Certificate expires/)

    expect(lines(steps)).toContain('bot → slack chat.postMessage no answer')
    expect(isOn(page, 'slack-cuts')).toBe(false)
  })

  it('that lets nobody post gets the card as an answer', async () => {
    const page = await world.live('alice')
    await switches('slack-restricted', true)

    const { steps } = await seesAfter(page, '/alert one-hit', /Certificate expires/)

    await switches('slack-restricted', false)
    expect(lines(steps)).toContain('bot → slack chat.postMessage restricted_action')
    expect(lines(steps)).toContain('bot → slack response_url ok')
  })

  it('whose public channel the bot is not in is posted in all the same', async () => {
    const page = await world.live('alice')
    await switches('slack-not-in-channel', true)
    await page.shows(
      ({ channels }) => channels.some(({ name, hasBot }) => name === 'on-call' && !hasBot) || undefined,
    )

    await seesAfter(page, '/alert one-hit', /Certificate expires/)

    await switches('slack-not-in-channel', false)
    await page.shows(
      ({ channels }) => channels.some(({ name, hasBot }) => name === 'on-call' && hasBot) || undefined,
    )
  })
})

describe('a bot', () => {
  it('that is stopped is said to have failed, and knows everybody when it is started again', async () => {
    const page = await world.live('alice')
    await switches('bot-stopped', true)

    const { seen, steps } = await seesAfter(page, '/alert one-hit', /dispatch_failed/)
    expect(seen).toMatchObject({ author: 'Slackbot', text: '/alert failed with the error "dispatch_failed"' })
    expect(steps).toMatchObject([{ outcome: 'unreachable', isRefused: true, refusals: [] }])

    await switches('bot-stopped', false)
    await page.over('Bellhop was started again')
    await seesAfter(page, '/alert one-hit', /Certificate expires/)
  })
})
