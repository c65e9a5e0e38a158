// Scopes of the bot token, as the bot learns them at its start.
import { describe, expect, it } from 'vitest'
import { allBut, allScopes } from '../doctor/scopes.ts'
import { openWorld, type World } from '../world.ts'

const warnings = ({ log }: World) => log.filter((line) => line.includes('some features are off'))

describe('scopes', () => {
  it('of the whole manifest switch every feature on, and are not spoken of', async () => {
    const world = await openWorld({ slack: { botScopes: allScopes } })
    expect(warnings(world)).toEqual([])
  })

  it('that one feature lacks are logged at the start by name, and stop nothing else', async () => {
    const world = await openWorld({ slack: { botScopes: allBut('links:write') } })

    const { alice, general, service } = world
    service.addAlert({ ks: 'k1', message: 'Disk full' })
    await alice.types('/alert k1', general)
    await alice.sees('Disk full', general)
    expect(warnings(world)).toHaveLength(1)
    expect(warnings(world)[0]).toContain('"missing":["Previews of alert links: links:write"]')
  })
})
