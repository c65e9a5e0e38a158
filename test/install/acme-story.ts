// A story of people of one workspace and the bot, so that every button, modal and command of it is used there once.

import type { Person } from '../../playground/slack/person/person.ts'
import type { Flag } from '../../src/grant/flags.ts'
import { playActs } from './acme-acts.ts'
import { playAssigns } from './acme-assigns.ts'
import type { Installs } from './world.ts'

/** Words that stand nowhere but in what Acme does. */
export const secrets = { alert: 'Vault door of Acme', reason: 'Because Acme says so' } as const

export const annToken = 'ann-token-3f81'

/** Ann may do everything at the service; Amy may read. Things are left open: requests, watches, confirmations, waits. */
export async function playAcme(world: Installs): Promise<void> {
  const { acme, service } = world
  const { slack, admin: ann, member: amy, general } = acme
  const ora = slack.addPerson({ name: 'ora', email: 'ora@acme.example' })
  const quiet = slack.addChannel({ name: 'quiet', members: [ann, amy], botIsMember: true })
  const otto = slack.addPerson({ name: 'otto', email: 'otto@acme.example' })
  for (const { id } of [ora, otto]) general.members.add(id)
  const actions = Array.from({ length: 40 }, (_, index) => ({
    kind: 'Comment' as const,
    timestamp: 1_700_000_100 + index,
    data: { message: `step ${index}` },
  }))
  const opened = { assetId: 34, timestamp: 1_700_000_000 }
  const alarm = service.addAlert({ ...opened, ks: 'acme1', message: secrets.alert, severity: 2, actions })
  service.addAlert({ ...opened, ks: 'acme2', message: `${secrets.alert} too`, timestamp: 1_700_000_009 })
  for (const ks of ['acme3', 'acme4']) {
    service.addAlert({ ...opened, ks, message: `${secrets.alert}: ${ks}`, timestamp: 1_700_000_100 })
  }
  service.addAlert({ ks: 'acme5', message: `${secrets.alert} as well` }).close('AutoClose')
  const link = (ks: string) => service.linkOf(ks)
  service.addUser({ email: 'dave@acme.example' })
  const fill = async (who: Person, title: string, fields: Record<string, string | string[]>) => {
    await who.seesModal(title)
    // What is there while Bellhop looks something up has no button.
    await slack.workspace.changes.until(
      () => who.modal?.submitLabel,
      5000,
      () => `${who.name} cannot send “${title}”: ${who.modal?.plain}`,
    )
    await who.submits({ fields })
    await slack.idle()
  }

  const shows = (who: Person, words: string) =>
    slack.workspace.changes.until(
      () => who.modal?.plain.includes(words) || undefined,
      5000,
      () => `${who.name} does not see “${words}”: ${who.modal?.plain}`,
    )

  const connect = (who: Person, rights: Flag[]) => world.connect(who, acme, `${who.name}-token-91c0`, rights)

  // Replaced at once by another one.
  await world.connect(ann, acme, `${annToken}-old`)
  await world.connect(ann, acme, annToken)
  await connect(amy, ['API', 'READ'])
  await ann.opensHome()
  // As somebody has it open who is not connected, and stays so.
  await ora.opensHome()
  await ora.presses('Connect account', await ora.seesHome('Connect your monitoring account'))
  await ora.seesModal('Connect account')
  await ora.closes()

  await ann.types('/alert acme1', general)
  const card = await ann.sees(secrets.alert, general)
  await ann.opensHome()
  for (const [label, title] of [
    ['Look up an alert', 'Look up an alert'],
    ['Look up again', 'Look up an alert'],
    ['Grant access', 'Grant access'],
  ] as const) {
    await ann.presses(label, await ann.seesHome('Recent alerts'))
    await ann.seesModal(title)
    await ann.closes()
  }
  await ann.presses('Show earlier', await ann.sees('newest', card))
  await ann.seesModal('Alert history')
  await ann.closes()
  await ann.presses('Watch', card)
  await ann.sees('● Live', general)
  await ann.presses('Watch', card)
  await ann.presses('Stop watching', await ann.sees('You’re watching this until', general))
  await ann.sees('Stopped updating', card)
  await ann.presses('Watch', card)
  await ann.sees('● Live', general)
  await slack.idle()
  alarm.hit({ severity: 1 })
  await ann.presses('Watch', card)
  await ann.presses('Only in the thread', await ann.sees('⬆️ CRITICAL → ALERT', ann.dm))
  await ann.types('/alert acme1 private', general)
  await ann.sees('Share', general)
  await ann.types(`/alert ${link('acme3')} private`, general)
  await ann.presses('Show card', await ann.sees('Which one do you mean', general))
  await ann.types('/alert acme5 private', general)
  await ann.sees('Closed automatically', general)
  await ann.types('/alert watches', general)
  await ann.types('/alert doctor', general)
  await ann.sees('Your account', general)
  await ann.types('/alert settings', general)
  await shows(ann, 'Audit channel')
  await ann.submits({ fields: { 'Audit channel': quiet } })
  await shows(ann, 'Saved.')
  await ann.closes()
  await ora.types('/alert acme1', general)
  await ora.presses('Connect account', await ora.sees('Connect', general))

  await ann.types('/alert', general)
  await fill(ann, 'Look up an alert', { 'Alert key': 'acme2' })
  await slack.idle()
  await ann.types('/alert acme9 private', general)
  await ann.sees('Did you mean', general)
  const about = (words: string) => amy.says(words, general)
  await ann.usesShortcut('alert.look-up-in-message', about(`${link('acme1')} or ${link('acme2')}?`))
  await fill(ann, 'Look up an alert', { 'Alert key': 'Asset 34, acme1, 2023-11-14 22:13 UTC' })
  await ann.usesShortcut('alert.look-up-in-message', about('which one?'))
  await fill(ann, 'Look up an alert', { 'Alert key': 'acme2' })
  await ann.usesShortcut('alert.look-up')
  await ann.seesModal('Look up an alert')
  await ann.closes()
  await ann.writes('@bellhop help', general)
  await ann.writes('@bellhop alert', general)
  await ann.writes('@bellhop grant', general)
  await ann.writes('help', ann.dm)
  await ann.writes(link('acme1'), general)

  await ann.usesShortcut('grant.form')
  await ann.seesModal('Grant access')
  await ann.fillsIn({ Role: 'Viewer' })
  await ann.presses('Choose flags')
  await shows(ann, 'View the container')
  await slack.idle()
  await ann.presses('Suggest containers')
  await shows(ann, 'Type the number')
  await ann.suggest('Container', '12')
  await ann.closes()
  await ann.types('/grant 12 dave@acme.example', general)
  await fill(ann, 'Grant access', { Role: 'Custom', Administration: ['Make, change or delete webhooks'] })
  await ann.submits()
  await slack.idle()
  await ann.types('/grant 12 dave@acme.example WEBHOKS', general)
  await ann.presses('Run this', await ann.sees('Did you mean WEBHOOKS?', general))
  await ann.sees('Sensitive flags', general)
  await ann.types('/grant 12 dave@acme.example admin', general)
  await ann.presses('Show all', await ann.sees('19 flags', general))
  await ann.seesModal('Flags')
  await ann.closes()
  await ann.types('/grant 12 dave@acme.example, eve@acme.example READ', general)
  await connect(otto, ['API'])
  await otto.types('/alert acme1', general)
  await otto.sees('lacks API or READ', general)
  await ann.types('/grant 12 dave@acme.example READ', general)
  await ann.sees('Share in channel', general)
  service.trouble.cut({ when: 'before-answer', only: 'POST', times: 1 })
  await ann.types('/grant 12 gil@acme.example READ', general)
  const doubted = await ann.sees('Not certain', general)
  // Known, so that nobody looks at it later by itself.
  service.addMember(12, { email: 'gil@acme.example', permissions: ['READ'] })
  await ann.presses('Look again', doubted)
  await ann.sees('Looked again at', general)

  // Slack takes a message a second in a channel, ten at once, and that many stand in this one by now.
  await slack.idle()
  world.clock.advance(10_000)
  for (const who of ['eve', 'fay']) {
    await amy.types(`/grant 12 ${who}@acme.example READ`, general)
    await amy.presses('Ask for approval', await amy.sees(new RegExp(`Not granted[\\s\\S]*${who}`), general))
    await fill(amy, 'Ask for approval', { Reason: secrets.reason })
  }
  await ann.presses('Decline', await ann.sees(/🔑[\s\S]*eve/, general))
  await fill(ann, 'Decline request', { Reason: secrets.reason })
  await slack.idle()
  await playActs(world)
  await playAssigns(world)
  // What people have used up of their limit goes on to the next process; of little, nothing would be left to tell it.
  await Promise.all(Array.from({ length: 100 }, () => ann.types('/alert help', general)))
  await world.restart()
}
