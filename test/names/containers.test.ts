// Names of containers: from what one’s own token showed, and read at most once in ten minutes where they aren’t known.
import { describe, expect, it } from 'vitest'
import { containerOfAlert } from '../../src/names/containers.ts'
import { alice, aliceToken, bob, bobToken, minuteMs, openNames } from './names-world.ts'

describe('an alert’s container', () => {
  it('is what its place says only where it is among the open alerts there', async () => {
    const { house, service, asked } = await openNames({ otherContainers: [56] })
    service.addContainer(34)
    service.addAlert({ ks: '5HkX', containerId: 12 })
    for (const [inPlace, found] of [
      [34, undefined],
      [12, 12],
    ] as const)
      expect(
        await containerOfAlert(house, { owner: alice, token: aliceToken }, '5HkX', {
          place: { container: inPlace },
        }),
      ).toBe(found)
    expect(asked().filter((path) => path.endsWith('/alerts'))).toEqual(
      [34, 56, 12].map((id) => `/container/${id}/alerts`),
    )
  })

  it('is found by a key that is written in another way, and the others of that list are known with it', async () => {
    const { house, service, asked } = await openNames({ otherContainers: [12] })
    for (const ks of ['5HkX', '6AbC']) service.addAlert({ ks, containerId: 12 })
    expect(await containerOfAlert(house, { owner: alice, token: aliceToken }, '5hkx', {})).toBe(12)
    expect(await containerOfAlert(house, { owner: alice, token: aliceToken }, '6AbC', {})).toBe(12)
    expect(asked()).toEqual(['/container/12/alerts'])
  })

  it('is looked for past containers that the token does not show, but not where nothing answers', async () => {
    const { house, service, asked, clock } = await openNames({ otherContainers: [34, 56, 12] })
    service.addContainer(34)
    service.addAlert({ ks: '5HkX', containerId: 12 })
    service.trouble.answer(403, { only: { path: /\/34\// } })
    expect(await containerOfAlert(house, { owner: alice, token: aliceToken }, '5HkX', {})).toBe(12)
    expect(asked()).toEqual([34, 56, 12].map((id) => `/container/${id}/alerts`))

    service.addAlert({ ks: 'next', containerId: 12 })
    service.trouble.answer(500)
    expect(
      await containerOfAlert(house, { owner: bob, token: bobToken }, 'next', {}),
    ).toBeUndefined()
    expect(new Set(asked())).toEqual(new Set([34, 56].map((id) => `/container/${id}/alerts`)))
    service.trouble.clear()
    clock.advance(minuteMs)
    expect(await containerOfAlert(house, { owner: bob, token: bobToken }, 'next', {})).toBe(12)
  })
})
