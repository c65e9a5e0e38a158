// A story of people of one workspace who assign alerts, so that every button and form of that is used there once.
import type { Person } from '../../playground/slack/person/person.ts'
import type { Installs } from './world.ts'

/** Ann’s token is a container’s, and may do everything; Amy’s is her own from here on. */
export async function playAssigns({ acme, service }: Installs): Promise<void> {
  const { slack, admin: ann, member: amy } = acme
  const channel = slack.addChannel({ name: 'assigns', members: [ann, amy], botIsMember: true })
  service.behaves({ addresses: 'none' })
  for (const [id, name] of [
    [50, 'Amy Adler'],
    [51, 'Erin Eames'],
    ...Array.from({ length: 100 }, (_, at) => [1_000 + at, `Person ${at}`] as const),
  ] as const) {
    service.addMember(12, { id, name, email: `user${id}@acme.example`, member: true })
  }
  service.addUser({ id: 60, name: 'Fay', email: 'user60@acme.example' })
  const alert = service.addAlert({ ks: 'assigns1', message: 'Gate of Acme', containerId: 12 })
  service.addAlert({ ks: 'assigns2', message: 'Fence of Acme', containerId: 12 })
  service.addAlert({ ks: 'assigns3', message: 'Wall of Acme' })
  const submits = async (who: Person, title: string, label: string, value: string) => {
    await who.seesModal(title)
    await slack.workspace.changes.until(
      () => who.modal?.labels.includes(label) || undefined,
      5000,
      () => `${who.name} cannot fill in “${label}”: ${who.modal?.plain}`,
    )
    await who.submits({ fields: { [label]: value } })
    await slack.idle()
  }

  await ann.types('/alert assigns1', channel)
  await slack.idle()
  const card = await ann.sees('Gate of Acme', channel)
  await ann.presses('Assign to me', card)
  await ann.presses('Assign to somebody', await ann.sees('belongs to a container, not to a person', channel))
  await submits(ann, 'Assign alert', 'Assign to', 'Erin Eames')
  await ann.sees('Assigned to Erin Eames', channel)
  alert.act({ kind: 'Assign', data: { userId: 50, ownerId: 50 } })
  await ann.types('/alert assign assigns1 1001', channel)
  await ann.presses('Assign anyway', await ann.sees('Nothing was sent:', channel))
  await ann.sees('Assigned to Person 1:', channel)
  await ann.types('/alert assign assigns2 60', channel)
  await ann.presses('Grant access', await ann.sees('isn’t a member of this container', channel))
  await ann.seesModal('Grant access')
  await ann.closes()

  service.addToken({
    token: 'amy-token-91c0',
    name: 'amy',
    flags: ['API', 'READ', 'ALERT_ASSIGN'],
    userId: 50,
  })
  await amy.writes('@bellhop assign assigns3 me', channel)
  await amy.presses('Say who you are', await amy.sees('who you are in monitoring', channel))
  await submits(amy, 'Who are you?', 'Container', '12')
  await submits(amy, 'Who are you?', 'You are', 'Amy Adler')
  await amy.sees('Assigned to you', channel)
  await amy.opensHome()
  await amy.presses('Change', await amy.seesHome('You’re Amy Adler in monitoring.'))
  await submits(amy, 'Who are you?', 'You are', 'Amy Adler')
  await amy.types('/alert assigns3 private', channel)
  await amy.presses('Comment', await amy.sees('Wall of Acme', channel))
  await amy.seesModal('Comment on alert')
  await amy.closes()
  await slack.idle()
  await ann.opensHome()
}
