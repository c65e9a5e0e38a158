// From every receipt of what was not granted, one press goes on; whatever is pressed, one request follows from it.
import { describe, expect, it } from 'vitest'
import { openWorld, posts } from '../world.ts'
import { added, answered, changes, openSeveral } from './several-world.ts'

const line = '/grant 12 erin@example.com viewer'

describe('a refusal without a reason (400)', () => {
  it('says that the asker’s token does not show somebody, and what to check; the form has that in view', async () => {
    const { alice, general, service } = await openWorld()
    for (const authProvider of ['Google', 'Microsoft'] as const)
      service.addUser({ email: 'erin@example.com', authProvider })
    await alice.types(line, general)
    const receipt = await alice.sees('⛔ Not granted: I can’t see erin@example.com on', general)
    expect(receipt.plain).toContain(
      'Monitoring probably has no account with this address. Check it; if they sign in with Google or Microsoft, add “via Google” or “via Microsoft”.',
    )
    await alice.presses('Edit and try again', receipt)
    const { labels } = await alice.seesModal('Grant access')
    expect(labels).toEqual(['Container', 'Email', 'Sign-in provider', 'Role', 'Member', 'Ends'])
  })

  it.each([
    ['the service is asked for the basics alone', { env: { MONITOR_OPERATIONS: 'basic' } }],
    ['the token lacks READ', {}],
  ])('has both readings in one sentence where %s', async (_, options) => {
    const world = await openWorld(options)
    const { alice, general, service } = world
    if (!('env' in options)) service.trouble.answer(403, { only: 'GET' })

    await alice.types(line, general)

    const receipt = await alice.sees('Not granted: monitoring says no', general)
    expect(receipt.plain).toContain(
      'They may already be on it, the address may be unknown or be there twice, or your token lacks one of these flags.',
    )
    // Nobody can see whether they are known, so nobody is to be invited.
    expect(receipt.buttons).toEqual(['Edit and try again'])
  })
})

describe('Edit and try again', () => {
  it('opens the form with what was asked, and a typo is mended in one step', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dvae@example.com READ,API member via Password', general)
    const receipt = await alice.sees('Not granted', general)
    expect(receipt.buttons).toEqual(['Edit and try again', 'Invite by email'])

    await alice.presses('Edit and try again', receipt)
    const form = await alice.seesModal('Grant access')
    expect(form.values).toMatchObject({
      Container: '12',
      Email: 'dvae@example.com',
      'Sign-in provider': 'Password',
    })
    await alice.submits({ fields: { Email: 'dave@example.com' } })

    await alice.sees('✅ Granted: dave@example.com', general)
    expect(posts(world)[1]?.body).toMatchObject({
      email: 'dave@example.com',
      member: true,
      permissions: ['READ', 'API'],
      authProvider: 'Password',
    })
  })

  it('has only those of several who were refused', async () => {
    const { world, line: several } = await openSeveral(4)
    const { alice, general, service } = world
    service.trouble.answer(429, { only: 'POST', times: 1 })
    service.trouble.answer(400, { only: 'POST', times: 2 })
    await alice.types(several, general)
    const result = await alice.sees('1 of 4 granted', general)
    const got = changes(added(world))
    expect(result.buttons).toEqual([
      'Try the rest again',
      'Edit and try again',
      'Invite by email',
      'Share in channel',
      ...got,
    ])

    await alice.presses('Try the rest again', result)
    await alice.sees('✅ Granted: p1@example.com', general)
    const left = await alice.sees('1 of 4 granted', general)
    expect(left.buttons).toEqual(['Edit and try again', 'Share in channel', ...got])
    await alice.presses('Edit and try again', left)

    const { Email } = (await alice.seesModal('Grant access')).values
    expect(String(Email).split('\n').toSorted()).toEqual(answered(world, 400))
  })
})

describe('Try again', () => {
  it.each([
    ['busy', '⏳ Not granted: monitoring is busy'],
    ['unreachable', '⏳ Not granted: I couldn’t reach monitoring'],
  ])('asks once more where monitoring was %s', async (why, words) => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    if (why === 'busy') service.trouble.answer(429, { only: 'POST', times: 1 })
    else await service.trouble.down()
    await alice.types('/grant 12 dave@example.com viewer', general)
    const receipt = await alice.sees(words, general)
    expect(receipt.buttons).toEqual(['Try again'])
    await service.trouble.up()
    const before = posts(world).length

    await Promise.all([alice.presses('Try again', receipt), alice.presses('Try again', receipt)])

    await alice.sees('✅ Granted: dave@example.com', general)
    await slack.idle()
    expect(posts(world)).toHaveLength(before + 1)
    expect((await alice.sees(words, general)).buttons).toEqual([])
  })
})
