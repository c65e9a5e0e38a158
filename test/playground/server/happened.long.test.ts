// “What happened”: what somebody did on the page, and every request that followed from it.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../playground/slack/model/model.ts'
import { lines, pageWorld } from '../page-server-world.ts'

const world = pageWorld()

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
