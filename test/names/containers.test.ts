// Names of containers: from what one’s own token showed, and read at most once in ten minutes where they aren’t known.
import { describe, expect, it } from 'vitest'
import {
  containerName,
  containerOfAlert,
  containersToSuggest,
  learnContainerName,
} from '../../src/names/containers.ts'
import { alice, aliceToken, bob, bobToken, minuteMs, openNames } from './names-world.ts'

describe('the name of a container', () => {
  it('is read once, and known from then on to its reader alone', async () => {
    const { house, asked } = await openNames()
    expect(containerName(house, alice, 12)).toBeUndefined()
    expect(await learnContainerName(house, alice, aliceToken, 12)).toBe('Customer 1')
    expect(asked()).toEqual(['/container/12'])

    expect(await learnContainerName(house, alice, aliceToken, 12)).toBe('Customer 1')
    expect(containerName(house, alice, 12)).toBe('Customer 1')
    expect(await containersToSuggest(house, alice, 9)).toEqual([{ id: 12, name: 'Customer 1' }])
    expect(containerName(house, bob, 12)).toBeUndefined()
    expect(await containersToSuggest(house, bob, 9)).toEqual([])
    expect(asked()).toEqual([])
  })

  it('that can’t be read is tried again after ten minutes', async () => {
    const { house, service, clock, asked } = await openNames()
    service.trouble.answer(403, { times: 1 })
    for (let times = 0; times < 3; times += 1) {
      expect(await learnContainerName(house, alice, aliceToken, 12)).toBeUndefined()
    }
    expect(asked()).toHaveLength(1)
    clock.advance(10 * minuteMs)
    expect(await learnContainerName(house, alice, aliceToken, 12)).toBe('Customer 1')
  })
})

describe('an alert’s container', () => {
  it('is what its card says, and remembered for whoever saw it there', async () => {
    const { house, asked } = await openNames()
    expect(await containerOfAlert(house, alice, aliceToken, '5HkX', { shown: 12 })).toBe(12)
    expect(await containerOfAlert(house, alice, aliceToken, '5HkX', undefined)).toBe(12)
    expect(await containerOfAlert(house, bob, bobToken, '5HkX', undefined)).toBeUndefined()
    expect(asked()).toEqual([])
  })

  it('is what its link says only where it is among the open alerts there', async () => {
    const { house, service, asked } = await openNames({ otherContainers: [56] })
    service.addContainer(34)
    service.addAlert({ ks: '5HkX', containerId: 12 })
    for (const [inLink, found] of [
      ['34', undefined],
      ['12', 12],
    ] as const)
      expect(await containerOfAlert(house, alice, aliceToken, '5HkX', { inLink })).toBe(found)
    expect(asked().filter((path) => path.endsWith('/alerts'))).toEqual(
      [34, 56, 12].map((id) => `/container/${id}/alerts`),
    )
  })

  it('is found by a key that is written in another way, and the others of that list are known with it', async () => {
    const { house, service, asked } = await openNames({ otherContainers: [12] })
    for (const ks of ['5HkX', '6AbC']) service.addAlert({ ks, containerId: 12 })
    expect(await containerOfAlert(house, alice, aliceToken, '5hkx', undefined)).toBe(12)
    expect(await containerOfAlert(house, alice, aliceToken, '6AbC', undefined)).toBe(12)
    expect(asked()).toEqual(['/container/12/alerts'])
  })

  it('is looked for past containers that the token does not show, but not where nothing answers', async () => {
    const { house, service, asked, clock } = await openNames({ otherContainers: [34, 56, 12] })
    service.addContainer(34)
    service.addAlert({ ks: '5HkX', containerId: 12 })
    service.trouble.answer(403, { only: { path: /\/34\// } })
    expect(await containerOfAlert(house, alice, aliceToken, '5HkX', undefined)).toBe(12)
    expect(asked()).toEqual([34, 56, 12].map((id) => `/container/${id}/alerts`))

    service.addAlert({ ks: 'next', containerId: 12 })
    service.trouble.answer(500)
    expect(await containerOfAlert(house, bob, bobToken, 'next', undefined)).toBeUndefined()
    expect(new Set(asked())).toEqual(new Set([34, 56].map((id) => `/container/${id}/alerts`)))
    service.trouble.clear()
    clock.advance(minuteMs)
    expect(await containerOfAlert(house, bob, bobToken, 'next', undefined)).toBe(12)
  })
})
