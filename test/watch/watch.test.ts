import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const

const comment = (message: string) => ({
  kind: 'Comment',
  timestamp: 1_700_000_060,
  data: { userId: 7, message },
})

describe('/alert <ks> watch', () => {
  it('posts a card that is live, and changes with the alert', async () => {
    const { alice, service, slack, general, clock } = await openWorld()
    const alert = service.addAlert(diskFull)

    await alice.types('/alert 5HkX watch', general)

    const card = await alice.sees(/Disk full[\s\S]*Live until/, general)
    expect(card.plain).toContain('for alice')
    await slack.idle()
    alert.hit({ message: 'Disk fuller' })
    alert.act(comment('on it'))
    clock.advance(32_000)
    await alice.sees('Disk fuller', general)
    await alice.sees('on it', card)
  })
})
