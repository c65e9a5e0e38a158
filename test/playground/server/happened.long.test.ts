// “What happened”: what somebody did on the page, and every request that followed from it.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../playground/slack/model/model.ts'
import { lines, pageWorld } from '../page-server-world.ts'

const world = pageWorld()

describe('an alert that is looked up', () => {
  it('shows its steps while they are under way', async () => {
    const page = await world.live('alice')
    world.playground.service.trouble.slow(300)

    await world.types('alice', '/alert long-story private')

    const half = await page.shows((_, all) => {
      const found = all.findLast(({ what }) => what.includes('long-story'))
      return found?.steps.length === 2 ? found : undefined
    })
    expect(half.isUnderWay).toBe(true)
    expect(half.steps[1]).toMatchObject({ from: 'bot', to: 'service', title: 'GET /alert/long-story' })
    expect(half.steps[1]?.outcome).toBeUndefined()
    world.playground.service.trouble.slow(0)
    // The next story may begin once this one has its answer.
    const { steps } = await page.shows((_, all) => {
      const found = all.findLast(({ what }) => what.includes('long-story'))
      return found?.steps.some(({ title, outcome }) => title === 'response_url' && outcome)
        ? found
        : undefined
    })
    expect(steps[1]?.tookMs).toBeGreaterThanOrEqual(290)
  })
})

describe('two people at once', () => {
  it('have each their own requests', async () => {
    const page = await world.live('alice')
    const { service } = world.playground
    service.trouble.slow(200)

    await Promise.all([
      world.types('alice', '/alert odd-kinds private'),
      world.types('bob', '/alert long-message private'),
    ])

    const [alices, bobs] = [
      await page.over('alice typed /alert odd'),
      await page.over('bob typed /alert long'),
    ]
    service.trouble.slow(0)
    expect(lines(alices.steps)).toContain('bot → service GET /alert/odd-kinds 200')
    expect(lines(bobs.steps)).toContain('bot → service GET /alert/long-message 200')
    for (const { steps } of [alices, bobs]) {
      // Names are learned beside it.
      const titles = steps
        .map(({ title }) => title)
        .filter((title) => !title.startsWith('GET /container') && title !== 'users.info')
      expect(titles).toEqual(['/alert', expect.stringMatching(/^GET/), 'response_url'])
    }
  })
})

/** Resolves once the service was asked for this so often more. */
function asked(path: string, times: number): Promise<void> {
  const { service } = world.playground
  const count = () =>
    service.requests.filter((request) => request.path === path && request.status === 200).length
  const enough = count() + times
  return new Promise((resolve) => {
    const stop = service.onChange(() => {
      if (count() < enough) return
      stop()
      resolve()
    })
  })
}

describe('a watched alert', () => {
  it('is read all the time, and listed when that leads to something', async () => {
    const page = await world.live('alice')
    const { slack } = world.playground
    await world.types('alice', '/alert one-hit watch')
    const card = await slack.person('alice').sees('👁', onCall())
    const { steps } = await page.over('alice typed /alert one-hit watch')
    expect(lines(steps)).toContain('bot → service GET /alert/one-hit 200')
    const [listed, shown] = [world.playground.happenings.list(), page.count('state')]

    await asked('/alert/one-hit', 2)

    expect(world.playground.happenings.list()).toEqual(listed)
    expect(page.count('state')).toBe(shown)

    world.playground.service.trouble.answer(404, { only: 'GET' })
    await slack.person('alice').sees('monitoring no longer has this alert', card)
    const { steps: last } = await page.shows((_, all) =>
      all.find(({ what, steps: [, , third] }) => what === 'Bellhop checked one-hit' && third?.outcome),
    )
    expect(lines(last)).toEqual([
      'bot → service GET /alert/one-hit 404',
      'bot → slack chat.postMessage ok',
      'bot → slack chat.update ok',
    ])
    world.playground.service.trouble.clear()
  })
})

function onCall(): Channel {
  const channel = world.playground.slack.workspace.channels.get(world.channelId('on-call'))
  if (!channel) throw new Error('No #on-call')
  return channel
}
