// Grants are spoken of by their roles, with the flags on demand.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

describe('a grant of many flags', () => {
  it('is confirmed by its role and the number of its flags', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/grant 12 dave@example.com admin', general)

    const asked = await alice.sees('Grant this access?', general)
    expect(asked.plain).toContain('Admin (19 flags, 6 of them sensitive)')
    expect(asked.plain).not.toContain('ASSET_MANAGEMENT')
  })

  it('names the flags at once where they are few', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/grant 12 dave@example.com viewer', general)

    const receipt = await alice.sees('Granted', general)
    expect(receipt.plain).toContain('Viewer: READ, API, REPORTING_VIEW, VIEW_LOG')
  })

  it('has no role’s name where its flags are not exactly one’s', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/grant 12 dave@example.com responder BILLING', general)

    expect((await alice.sees('Granted', general)).plain).toContain('\nREAD, ALERT_ASSIGN,')
  })
})

describe('/grant roles', () => {
  it('lists two roles with the same flags by their own names', async () => {
    const { alice, general } = await openWorld({
      env: { GRANT_PRESETS: '{"reader":["READ"],"guest":["READ"]}' },
    })

    await alice.types('/grant roles', general)

    const listed = await alice.sees('Reader', general)
    expect(listed.plain).toContain('Reader (1 flag): READ')
    expect(listed.plain).toContain('Guest (1 flag): READ')
  })
})
