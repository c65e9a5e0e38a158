// Addresses that reach one mailbox are one person’s, for who may approve; what is sent stays as it was typed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mailboxOf } from '../../src/approval/four-eyes.ts'
import { asked, givesReason, openColleagues, posts } from './colleagues.ts'

describe('one mailbox', () => {
  it.each([
    ['capitals', 'Dave@Example.COM'],
    ['a tag', 'dave+x@example.com'],
    ['several tags', 'dave+x+y@example.com'],
    ['a last dot', 'dave@example.com.'],
    ['both', 'DAVE+grants@EXAMPLE.com.'],
    ['wide letters', 'ｄａｖｅ@ｅｘａｍｐｌｅ.com'],
    ['a wide plus and a wide at', 'dave＋x＠example.com'],
    ['dots of other scripts', 'dave@example。com｡'],
    ['a quoted name', '"dave"@example.com'],
    ['a quoted name with a tag', '"da\\ve+x"@example.com'],
    ['signs that cannot be seen', 'da\u200bve@exam\u00adple.com'],
    ['spaces around it', ' dave@example.com '],
    ['a quote that is a sign of its own', '＂dave＂@example.com'],
  ])('is known in spite of %s', (_, address) => {
    expect(mailboxOf(address)).toBe('dave@example.com')
  })

  it.each([
    ['d.a.v.e+x@gmail.com', 'dave@gmail.com'],
    ['Dave@GoogleMail.com.', 'dave@gmail.com'],
    ['dave@bücher.example', 'dave@xn--bcher-kva.example'],
    ['dave@XN--BCHER-KVA.example', 'dave@xn--bcher-kva.example'],
  ])('has one way to be written: %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })

  it('is one, though a sign stands for a space and an accent, or a quote between a letter and its accent', () => {
    expect(mailboxOf('a\u1fbf@example.com')).toBe(mailboxOf('a\u0313@example.com'))
    expect(mailboxOf('a"\u0301@example.com')).toBe(mailboxOf('á@example.com'))
  })

  it.each([
    ['dots elsewhere than at Gmail', 'd.ave@example.com', 'dave@example.com'],
    ['another domain', 'dave@example.org', 'dave@example.com'],
    ['a domain below it', 'dave@mail.example.com', 'dave@example.com'],
    ['nothing but a tag', '+x@example.com', '+y@example.com'],
    ['letters that only look alike', 'dаve@example.com', 'dave@example.com'],
  ])('is told from another by %s', (_, one, other) => {
    expect(mailboxOf(one)).not.toBe(mailboxOf(other))
  })

  it('is the same however often it is asked for, and whatever is added that mail ignores', () => {
    const local = fc.stringMatching(/^[a-z0-9_.-]{1,12}$/)
    const domain = fc.domain()
    const tag = fc.stringMatching(/^[\w+.]{0,8}$/)
    fc.assert(
      fc.property(local, domain, tag, (name, host, extra) => {
        const mailbox = mailboxOf(`${name}@${host}`)
        expect(mailboxOf(`${name.toUpperCase()}+${extra}@${host.toUpperCase()}.`)).toBe(mailbox)
        expect(mailboxOf(`"${name}"@${host}`)).toBe(mailbox)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (anything) => {
        const once = mailboxOf(anything)
        expect(mailboxOf(once)).toBe(once)
      }),
    )
  })
})

describe('the asker’s second Slack account', () => {
  it('under another way to write their address cannot approve either', async () => {
    const world = await openColleagues()
    const { carol, general } = world
    Object.assign(carol.member, { email: 'Bob+second@example.com' })
    const card = await asked(world)
    await carol.presses('Approve', card)
    await carol.sees('You asked for this yourself, so somebody else has to approve it.', general)
    expect(posts(world).map(({ token }) => token)).toEqual(['bob'])
  })

  it('is told from a colleague’s where Slack shows no address of the asker', async () => {
    const world = await openColleagues()
    const { bob, carol } = world
    const card = await asked(world)
    Object.assign(bob.member, { email: '' })
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
  })
})

describe('a recipient whose address is written in another way', () => {
  it.each(['dave+x@example.com', 'dave@example.com.'])('as %s cannot approve it', async (address) => {
    const world = await openColleagues()
    const { alice, bob, dave, general, service } = world
    service.addUser({ email: address })
    await world.connect(dave, 'carol-token')
    await bob.types('/grant', general)
    await bob.seesModal('Grant access')
    await bob.submits({
      fields: { Container: '12', Email: address, Role: 'Custom', Viewing: ['View the container'] },
    })
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await givesReason(bob)
    await dave.presses('Approve', await alice.sees('🔑', general))
    await dave.sees('This access is for you, so somebody else has to approve it.', general)
    expect(posts(world).map(({ token }) => token)).toEqual(['bob'])
  })

  it('has their Slack account and tokens found, and what is sent is the address as it was typed', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, dave, general, service } = world
    service.addUser({ email: 'Dave+x@example.com' })
    await world.connect(dave, 'carol-token')
    await bob.types('/grant 12 Dave+x@example.com READ', general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await givesReason(bob)
    const card = await alice.sees('🔑', general)
    await carol.presses('Approve', card)
    await carol.sees('You and the recipient share the same token', general)

    await alice.presses('Approve', card)
    await bob.sees('Granted by alice', bob.dm)
    expect(posts(world).at(-1)?.body).toMatchObject({ email: 'Dave+x@example.com' })
  })
})
