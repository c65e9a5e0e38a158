// A story of people of one workspace who comment on alerts and close them, so that every button and form of that is used
// there once.
import type { Person } from '../../playground/slack/person/person.ts'
import type { Installs } from './world.ts'

/** Ann may do everything at the service; Amy may read. */
export async function playActs({ acme, service }: Installs): Promise<void> {
  const { slack, admin: ann, member: amy } = acme
  const channel = slack.addChannel({ name: 'acts', members: [ann, amy], botIsMember: true })
  const submits = async (who: Person, title: string, fields: Record<string, string | string[]> = {}) => {
    await who.seesModal(title)
    await slack.workspace.changes.until(
      () => who.modal?.submitLabel,
      5000,
      () => `${who.name} cannot send “${title}”`,
    )
    await who.submits({ fields })
    await slack.idle()
  }

  const alert = service.addAlert({ ks: 'acts1', message: 'Door of Acme' })
  await ann.types('/alert acts1', channel)
  await slack.idle()
  const card = await ann.sees('Door of Acme', channel)
  // Twice as many bytes as characters, which only this service counts.
  service.behaves({ lengthsIn: 'bytes' })
  await ann.presses('Comment', card)
  await submits(ann, 'Comment on alert', { Comment: 'é'.repeat(200) })
  await ann.presses('Edit and try again', await ann.sees('monitoring says no (400)', channel))
  await submits(ann, 'Comment on alert', { Comment: 'Somebody has locked it.' })
  service.behaves({ lengthsIn: 'code-points' })
  await ann.usesShortcut('act.add-as-comment', amy.says('The key is in the drawer.', card))
  await submits(ann, 'Comment on alert')
  await amy.presses('Close alert', await amy.sees('Door of Acme', channel))
  await submits(amy, 'Close alert', { 'What was it?': 'It was locked.' })
  await amy.presses('Ask in thread', await amy.sees('lacks ALERT_CHANGE', channel))
  await slack.idle()

  await ann.presses('Close alert', card)
  alert.act({ kind: 'Assign', data: { userId: 9, ownerId: 9 } })
  await submits(ann, 'Close alert')
  const told = await ann.sees(/Nothing was sent: .*took/, channel)
  // Of what Ann had closed herself, Bellhop would look for a while whether it opens again.
  alert.close('AutoClose')
  await ann.presses('Close anyway', told)
  await ann.sees('is already closed', channel)
  await slack.idle()
  // Else it is looked at again later, in the middle of other stories.
  service.behaves({ onClosed: 'recorded' })
  await ann.types('/alert close acts1 "It was locked."', channel)
  await ann.presses(
    'Comment with this text',
    await ann.sees(/is already closed[\s\S]*It was locked/, channel),
  )
  await ann.sees('Commented on alert “acts1”: “It was locked.”', channel)
  service.behaves({ onClosed: 'nothing' })
}
