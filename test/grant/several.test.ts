// Several people in one line or form: one POST each, one message that tells what became of everybody.
import { describe, expect, it } from 'vitest'
import { aliceToken, posts } from '../world.ts'
import { added, asked, changes, openSeveral, results, revokeAfter } from './several-world.ts'

describe('/grant for several people', () => {
  it('is one POST each, and one message with a line per person', async () => {
    const { world, line, emails } = await openSeveral(3)
    const { alice, bob, general } = world

    await alice.types(line, general)

    const result = await alice.sees('3 of 3 granted: Viewer on container 12', general)
    expect(result.isEphemeral).toBe(true)
    for (const email of emails) expect(result.plain).toContain(`✅ ${email}`)
    expect(result.buttons).toEqual(['Share in channel', ...changes(emails)])
    expect(asked(world).toSorted()).toEqual(emails)
    expect(posts(world)[1]?.body).toMatchObject({
      permissions: ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'],
    })
    await bob.doesNotSee('granted', general)
    expect(results(alice, general)).toHaveLength(1)
  })
})

describe('what becomes of several people', () => {
  it('is told for each apart: granted, refused and why, not certain and what to check', async () => {
    const { world, line } = await openSeveral(5)
    const { alice, general, service } = world
    await alice.types('/grant 12 p1@example.com viewer', general)
    await alice.sees('✅ Granted', general)
    world.clock.advance(11_000)
    service.trouble.answer(400, { only: 'POST', times: 1 })
    service.trouble.answer(503, { only: 'POST', times: 1 })
    service.trouble.cut({ when: 'before-answer', only: 'POST', times: 1 })

    await alice.types(line, general)

    const { plain, buttons } = await alice.sees('2 of 5 granted', general)
    expect(plain).toMatch(
      /(✅ p1@example.com is already on .*, as Viewer|⛔ I can’t see p1@example.com on)/,
    )
    expect(plain.match(/❓ p\d@example.com may or may not be on/g)).toHaveLength(2)
    const got = plain.match(/(?<=✅ )p\d@example.com$/gm) ?? []
    expect(got).toHaveLength(2)
    expect(plain).toContain('before trying again. I won’t resend it.')
    expect(plain).toContain('monitoring returned an error. Check')
    expect(plain).toContain('the connection broke before monitoring answered. Check')
    expect(buttons).toEqual([
      'Look again',
      'Edit and try again',
      'Share in channel',
      ...changes(got),
    ])
    expect(asked(world)).toHaveLength(6)
  })

  it('names whom each reason is about', async () => {
    const { world } = await openSeveral(1, { env: { AUTH_PROVIDERS: 'Password' } })
    const { alice, general, service } = world
    service.addMember(12, { email: 'p1@example.com', permissions: ['READ', 'API'] })

    await alice.types(
      '/grant 12 p1@example.com,dvae@example.com,dvea@example.com,dave@example.com READ',
      general,
    )

    const lines = (await alice.sees('1 of 4 granted', general)).plain.split('\n')
    expect(lines).toContain(
      '✅ p1@example.com is already on container 12, with READ and API. They have all of that already.',
    )
    expect(lines).toContain('⛔ I can’t see dvae@example.com on container 12')
    expect(lines).toContain('⛔ I can’t see dvea@example.com on container 12')
    const why = 'Monitoring probably has no account with this address. Check it.'
    expect(lines.filter((line) => line === why)).toHaveLength(1)
  })

  it.each([
    [403, ['Ask for approval', 'Edit and try again']],
    [404, ['Edit and try again']],
  ])('ends at the first %i, which would meet the rest as well', async (status, buttons) => {
    const { world, line } = await openSeveral(6)
    const { alice, general, service } = world
    service.trouble.answer(status, { only: 'POST' })

    await alice.types(line, general)

    const result = await alice.sees('0 of 6 granted', general)
    expect(result.plain).toContain('⛔ p1@example.com: ')
    expect(result.plain.match(/➖ p\d@example.com: not sent/g)).toHaveLength(5)
    expect(result.buttons).toEqual(buttons)
    expect(posts(world)).toHaveLength(1)
  })
})

describe('without an account, or with one that is refused', () => {
  it('tells half a result when the token is refused half way, and tries the rest with another', async () => {
    const { world, emails, line } = await openSeveral(9)
    const { alice, general, service } = world
    revokeAfter(world, 3, aliceToken)

    await alice.types(line, general)

    const half = await alice.sees(/[1-8] of 9 granted/, general)
    expect(half.plain).toContain('p9@example.com: not sent')
    expect(half.plain).toContain('Connect again with /alert connect, then try again.')
    const granted = service.membersOf(12).length
    service.addToken({
      token: 'alice-new',
      name: 'alice again',
      flags: ['API', 'CONTAINER_ACCESS'],
    })
    await world.connect(alice, 'alice-new')
    await alice.presses('Try the rest again', half)

    await alice.sees(`${9 - granted} of ${9 - granted} granted`, general)
    expect(added(world)).toEqual(emails)
  })
})

describe('@people among others', () => {
  it('are asked for first, with whose profile each address is from', async () => {
    const { world } = await openSeveral(2)
    const { alice, general, slack } = world
    slack.addPerson({ name: 'dave', realName: 'Dave Miller', email: 'dave@example.com' })
    slack.addPerson({ name: 'gus', realName: 'Gus Guest', email: 'p2@example.com', isGuest: true })

    await alice.types('/grant 12 p1@example.com, @dave @gus viewer', general)

    const confirmation = await alice.sees('from the Slack profile', general)
    expect(confirmation.plain).toMatch(
      /dave@example\.com is from the Slack profile of (dave|Dave Miller)\.\n/,
    )
    expect(confirmation.plain).toMatch(
      /p2@example\.com is from the Slack profile of (gus|Gus Guest), a guest here/,
    )
    expect(confirmation.plain).toContain('for 3 people (p1@example.com, ')
    await alice.presses('Grant access', confirmation)
    await alice.sees('3 of 3 granted', general)
  })
})

describe('the form for several people', () => {
  it('takes an address a line, and shows the line that does the same', async () => {
    const { world } = await openSeveral(3)
    const { alice, general } = world
    await alice.types('/grant 12', general)
    await alice.seesModal('Grant access')

    await alice.submits({
      fields: {
        Email: 'p1@example.com\nPat <p2@example.com>, p3@example.com\n',
        Role: 'Viewer',
      },
    })

    const result = await alice.sees('3 of 3 granted: Viewer on container 12', general)
    expect(result.plain).toContain('/grant 12 p1@example.com,p2@example.com,p3@example.com viewer')
    await alice.seesNoModal()
  })
})
