// The form of `/grant`: who, where, and a role; flags for whoever wants to choose them.
import { describe, expect, it } from 'vitest'
import { openWorld, posts, type World, type WorldOptions } from '../world.ts'
import { viewer } from './dave.ts'

const boxes = ['Viewing', 'Alerts', 'Assets and checks', 'Administration', 'Machine access']
const roles = { GRANT_PRESETS: '{"viewer":["READ","API"],"on-call":["READ","ALERT_CHANGE"]}' }

const granted = (world: World) => posts(world).map(({ body }) => body)

async function openForm(line = '/grant 12 dave@example.com', options: WorldOptions = {}) {
  const world = await openWorld(options)
  await world.alice.types(line, world.general)
  await world.alice.seesModal('Grant access')
  return { ...world, world }
}

/** Somebody chooses, and Bellhop has not heard of it yet. */
function choosesUnheard({ slack, alice }: World, role: string, value = role.toLowerCase()): void {
  const view = alice.modal?.view
  if (view === undefined) throw new Error('no form is open')
  const option = { text: { type: 'plain_text', text: role, emoji: true }, value }
  slack.workspace.views.type(view, 'role', 'grant.role', {
    type: 'static_select',
    selected_option: option,
  })
}

describe('the form', () => {
  it('gives a viewer access in four steps', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant', general)
    await alice.seesModal('Grant access')
    await alice.fillsIn({ Container: '12' })
    await alice.fillsIn({ Email: 'dave@example.com' })
    await alice.fillsIn({ Role: 'Viewer' })
    await alice.submits()

    const receipt = await alice.sees('Granted', general)
    expect(receipt.plain).toContain('/grant 12 dave@example.com viewer')
    expect(granted(world)).toEqual([
      { email: 'dave@example.com', permissions: expect.toSatisfy(isViewer) },
    ])
    await alice.seesNoModal()
  })

  it('asks for container, address and role, and has no boxes but Member', async () => {
    const { alice } = await openForm('/grant 12 dave@example.com member via Google')

    const form = alice.modal
    expect(form?.labels).toEqual([
      'Container',
      'Email',
      'Role',
      'Member',
      'Ends',
      'Sign-in provider',
    ])
    expect(form?.choices('Role')).toEqual(['Viewer', 'Responder', 'Operator', 'Admin', 'Custom'])
    expect(form?.values).toMatchObject({
      Container: '12',
      Email: 'dave@example.com',
      Role: '',
      Member: 'Alerts can be assigned to them',
      'Sign-in provider': 'Google',
    })
    expect(form?.plain).toContain('Only needed if the address exists more than once.')
  })

  it('shows a problem at the input that has it', async () => {
    const { alice } = await openForm('/grant')

    await alice.submits({ fields: { Container: '12', Email: 'dave', Role: 'Viewer' } })

    expect(alice.modal?.errors).toEqual({
      Email: 'Type an email address, such as dave@example.com.',
    })
  })
})

describe('a role in the form', () => {
  it('says what it allows, and ticks Member where it lets people handle alerts, which a person can untick', async () => {
    const { alice, general, world } = await openForm()

    await alice.fillsIn({ Role: 'Responder' })
    expect(alice.modal?.plain).toContain(
      '8 flags: View the container · View the logs · Open reporting',
    )
    expect(alice.modal?.labels).not.toContain('Viewing')
    expect(alice.modal?.values.Member).toBe('Alerts can be assigned to them')
    await alice.fillsIn({ Member: false })
    // The next role has it ticked as well, so that nothing changes.
    await alice.fillsIn({ Role: 'Operator' })
    expect(alice.modal?.values.Member).toBe('')
    await alice.fillsIn({ Role: 'Viewer' })
    expect(alice.modal?.values.Member).toBe('')

    await alice.submits()
    await alice.sees('Granted', general)
    expect(granted(world)).toEqual([
      { email: 'dave@example.com', permissions: expect.toSatisfy(isViewer) },
    ])
  })

  it('is one of the installation’s own', async () => {
    const { alice, general, world } = await openForm('/grant 12 dave@example.com', { env: roles })
    expect(alice.modal?.choices('Role')).toEqual(['Viewer', 'On-call', 'Custom'])

    await alice.fillsIn({ Role: 'On-call' })
    await alice.submits()

    await alice.sees('Granted', general)
    expect(granted(world)).toEqual([
      { email: 'dave@example.com', member: true, permissions: ['READ', 'ALERT_CHANGE'] },
    ])
  })

  it.each([
    ['chosen', 'responder', { Role: 'Responder', Member: 'Alerts can be assigned to them' }],
    [
      'Custom, with the boxes ticked,',
      'READ BILLING',
      { Role: 'Custom', Viewing: 'View the container, View the credits tab' },
    ],
  ])('is %s already where the line has %s', async (_, flags, values) => {
    const { alice } = await openForm(`/grant dave@example.com ${flags}`)
    expect(alice.modal?.values).toMatchObject(values)
  })
})

describe('flags in the form', () => {
  it('are labelled by what they allow, with their names below', async () => {
    const { alice } = await openForm()

    await alice.fillsIn({ Role: 'Custom' })

    expect(alice.modal?.labels).toEqual([
      ...['Container', 'Email', 'Role'],
      ...boxes,
      ...['Member', 'Ends', 'Sign-in provider'],
    ])
    expect(alice.modal?.choices('Viewing')).toEqual([
      'View the container',
      'View the logs',
      'Open reporting and download reports',
      'View the credits tab',
    ])
    expect(JSON.stringify(alice.modal?.blocks)).toContain('"WEBHOOKS · sensitive"')
  })

  it('are ticked as the role has them for whoever chooses Custom after it', async () => {
    const { alice, general, world } = await openForm()
    await alice.fillsIn({ Role: 'Viewer' })

    await alice.fillsIn({ Role: 'Custom' })

    expect(alice.modal?.values).toMatchObject({
      Role: 'Custom',
      Viewing: 'View the container, View the logs, Open reporting and download reports',
      Alerts: '',
    })
    await alice.fillsIn({ Viewing: ['View the credits tab'] })
    await alice.submits()
    await alice.sees('Granted', general)
    expect(granted(world)).toMatchObject([{ permissions: ['API', 'BILLING'] }])
  })

  it.each([
    ['there are none', 'Machine access', [], 'No flags: they can open dashboards only.', []],
    [
      'they are sensitive',
      'Administration',
      ['Make, change or delete webhooks'],
      '• WEBHOOKS',
      ['WEBHOOKS'],
    ],
  ])(
    'are asked about where it was opened when %s',
    async (_, group, ticked, words, permissions) => {
      const { alice, general, world } = await openForm()
      await alice.submits({ fields: { Role: 'Custom', [group]: ticked } })
      const question = await alice.sees(words, general)
      expect(posts(world)).toEqual([])
      await alice.seesNoModal()

      await alice.presses('Grant access', question)

      await alice.sees('Granted', general)
      expect(granted(world)).toEqual([{ email: 'dave@example.com', permissions }])
    },
  )
})

describe('a form that is submitted before it shows the role chosen last', () => {
  it('gives what that role allows', async () => {
    const { alice, general, world } = await openForm()
    await alice.fillsIn({ Role: 'Viewer' })
    choosesUnheard(world, 'Operator')

    await alice.submits()

    await alice.sees('Granted', general)
    expect(granted(world)).toMatchObject([
      { permissions: expect.arrayContaining(['ASSET_MANAGEMENT']) },
    ])
  })

  it('gives nothing for Custom, and says so, until there are boxes to tick', async () => {
    const { alice, world } = await openForm()
    await alice.fillsIn({ Role: 'Viewer' })
    choosesUnheard(world, 'Custom', 'Custom')

    await alice.submits()

    expect(alice.modal?.errors).toEqual({
      Role: 'Custom has a box for each flag. Tick those you want, then send the form again.',
    })
    expect(posts(world)).toEqual([])
  })
})

describe('two choices in quick succession', () => {
  it('lose nothing that was typed, and bother nobody with an error', async () => {
    const { alice, general, slack, world } = await openForm('/grant')
    await alice.fillsIn({ Container: '12' })
    // Slack shows the form of one choice alone: the other one was made in the form before it.
    world.expectRefusals()
    slack.trouble.slow('views.update', 100, { times: 1 })
    choosesUnheard(world, 'Viewer')
    const view = alice.modal
    const choose = (value: string) =>
      alice.acts(view, {
        type: 'static_select',
        block_id: 'role',
        action_id: 'grant.role',
        selected_option: { text: { type: 'plain_text', text: value, emoji: true }, value },
      })

    const first = choose('viewer')
    choosesUnheard(world, 'Responder')
    await Promise.all([first, choose('responder')])
    await alice.fillsIn({ Email: 'dave@example.com' })
    await slack.idle()

    expect(alice.modal?.values).toMatchObject({
      Container: '12',
      Email: 'dave@example.com',
      Role: 'Responder',
    })
    expect(alice.messages(alice.dm)).toEqual([])
    await alice.submits()
    await slack.idle()
    for (let times = 0; posts(world).length === 0 && times < 2; times += 1) await alice.submits()
    await alice.sees('Granted', general)
    expect(granted(world)).toMatchObject([
      { permissions: expect.arrayContaining(['ALERT_ASSIGN']) },
    ])
  })
})

function isViewer(permissions: readonly string[]): boolean {
  return permissions.toSorted().join() === viewer.toSorted().join()
}
