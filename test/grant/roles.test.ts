// Grants are spoken of by their roles, with the flags on demand.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

describe('a grant of many flags', () => {
  it('is confirmed by its role and its sensitive flags', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/grant 12 dave@example.com admin', general)

    const asked = await alice.sees('Grant this access?', general)
    expect(asked.plain).toContain(
      'Admin on container 12 for dave@example.com · member\nSensitive flags:',
    )
    expect(asked.plain).not.toContain('ASSET_MANAGEMENT')
  })

  it('is named by its role and what goes beyond, where its flags are not exactly one’s', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/grant 12 dave@example.com responder BILLING', general)

    expect((await alice.sees('Granted', general)).plain).toContain(
      '✅ Granted: dave@example.com now has Responder and BILLING on container 12 · member\n',
    )
  })
})

describe('/grant roles', () => {
  it('lists two roles with the same flags by their own names', async () => {
    const { alice, general } = await openWorld({
      env: { GRANT_PRESETS: '{"reader":["READ"],"guest":["READ"]}' },
    })

    await alice.types('/grant roles', general)

    const listed = await alice.sees('Reader', general)
    expect(listed.plain).toContain('Reader (1 flag): View the container')
    expect(listed.plain).toContain('Guest (1 flag): View the container')
  })

  it('says in the form’s words what each allows, and who becomes a member', async () => {
    const { alice, general } = await openWorld()
    await alice.types('/grant roles', general)
    const { plain } = await alice.sees('Responder', general)
    expect(plain).not.toMatch(/[A-Z]{4}/)
    const lines = plain.split('\n')
    expect(lines[1]).toMatch(
      /^Responder \(8 flags\): All of Viewer · .* · Alerts can be assigned to them$/,
    )
    expect(lines[2]).toMatch(/^Operator \(11 flags\): All of Responder · Create assets/)
    expect(lines[3]).toMatch(/^Admin \(19 flags, 6 sensitive\): All of Operator · /)
  })
})
