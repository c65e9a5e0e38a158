// Presses of others: what somebody else's press, name or card id can make of acting on an alert.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { assignForm, diskFull, linkedCard, onCallWithBob } from './on-card.ts'

/** The value of a button, as somebody reads it who looks into the message. */
function valueOn(shown: SeenMessage, label: string): string {
  const found = new RegExp(`"text":"${label}"[^}]*},"value":"([^"]*)"`).exec(
    JSON.stringify(shown.blocks),
  )?.[1]
  if (found === undefined) throw new Error(`no ${label} in ${JSON.stringify(shown.blocks)}`)
  return found
}

/** Presses a button that isn’t there. */
const forges = (person: Person, shown: SeenMessage, action_id: string, value: string) =>
  person.acts(shown, { type: 'button', block_id: 'b', action_id, value, action_ts: '1.1' })

describe('a card that only Alice sees', () => {
  it('tells nothing to who presses or sends with its id', async () => {
    const { world, alice, bob, general, service, slack } = await onCallWithBob()
    service.behaves({ addresses: 'none' })
    service.addAlert({
      ...diskFull,
      ks: 'secret',
      message: 'Payroll leaks',
      timestamp: 1_700_000_000,
    })
    await alice.types('/alert secret private', general)
    const secret = await alice.sees('Payroll leaks', general)
    await slack.idle()
    const [cardId] = valueOn(secret, 'Close alert').split(' ')
    const bobs = await linkedCard(world, bob)
    const before = service.requests.length

    for (const action of ['act.assign-me', 'act.comment', 'act.close']) {
      await forges(bob, bobs, action, `${cardId} -`)
      await slack.idle()
      expect(bob.modal).toBeUndefined()
    }
    await bob.presses('Comment', bobs)
    const form = await bob.seesModal('Comment on alert')
    const [own = ''] = valueOn(bobs, 'Close alert').split(' ')
    form.view.content = JSON.parse(JSON.stringify(form.view.content).replaceAll(own, cardId ?? ''))
    await bob.submits({ fields: { Comment: 'Mine as well' } })
    expect(JSON.stringify(bob.modal?.errors)).toContain('This card is too old')
    expect(bob.messages(general).some(({ plain }) => plain.includes('Payroll'))).toBe(false)
    expect(service.requests.slice(before).filter(({ path }) => path.includes('secret'))).toEqual([])
  })
})

const evil = `<!channel> *bold*\n✅ Closed: alert “5HkX”.\n\u202eevil ${'x'.repeat(600)}`

describe('hostile names of a container’s people', () => {
  it('stand on one line of the verdict and of the menu, and are told apart', async () => {
    const { world, alice, general, service, slack } = await onCallWithBob()
    const names = new Map([
      ['e1', evil],
      ['e2', `${evil}2`],
      ['b2', 'Bob\u200b Baker'],
      ['b3', '\u202e \u3164'],
    ])
    for (const [at, [handle, name]] of [...names].entries()) {
      service.addUser({ email: `${handle}@example.com`, id: 20 + at, name })
      service.addMember(12, { email: `${handle}@example.com`, member: true })
    }
    const shown = await linkedCard(world, alice)
    const form = await assignForm(alice, shown)

    const choices = form.choices('Assign to')
    expect(choices).toEqual([
      '<!channel> *bold* ✅ Closed: aler … (user 20)',
      '<!channel> *bold* ✅ Closed: aler … (user 21)',
      'Alice Archer',
      'Bob Baker (user 22)',
      'Bob Baker (user 8)',
      'Dave Doe',
      'user 23',
    ])
    await alice.submits({ fields: { 'Assign to': choices[0] ?? '' } })
    const drawn = await alice.sees('assigned to <!channel>', general)
    expect(drawn.plain.split('\n')[1]).toMatch(
      / · assigned to <!channel> \*bold\* ✅ Closed: aler …$/,
    )
    await slack.idle()

    // The card that she pressed is older than that.
    const value = `${valueOn(shown, 'Watch')} -`
    await forges(alice, shown, 'act.assign-me', value)
    const held = await alice.sees('Nothing was sent', general)
    expect(held.plain.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(
        /^⛔ Nothing was sent: alert “5HkX” is assigned to <!channel> .* … now\.$/,
      ),
      '[Take it over]',
    ])
  })
})
