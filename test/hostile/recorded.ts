// One session of ordinary work, and the requests that Slack sent of it: what is mutated is real.
import { connect } from '../../playground/connect.ts'
import { type Json, record } from '../../playground/slack/model/json.ts'
import { type HostileWorld, ks, token } from './hostile-world.ts'

/** What has words of somebody's in it. */
export const kinds = [
  ...([
    'slash_commands',
    'block_actions',
    'view_submission',
    'message_action',
    'block_suggestion',
  ] as const),
  ...(['event app_mention', 'event message', 'event link_shared'] as const),
]

export type Kind = (typeof kinds)[number]

/** Requests as Slack sent them, by kind. */
export type Recorded = ReadonlyMap<Kind, readonly Json[]>

export async function recordSession(world: HostileWorld): Promise<Recorded> {
  const { slack, service, alice, general, deliver, forget } = world
  deliver(true)
  // Commands, and what can be pressed on a card.
  await alice.types(`/alert ${ks}`, general)
  const card = await alice.sees('Disk full', general)
  await alice.presses('Refresh', card)
  await alice.presses('Watch', card)
  await alice.sees('👁', general)
  await alice.presses('Stop watching', await alice.sees('Disk full', general))
  await alice.types('/alert 7Abc private', general)
  const own = await alice.sees('Link down', general)
  await alice.presses('Share in channel', own)
  await alice.presses('Grant access', own)
  await alice.seesModal('Grant access')
  await alice.closes()
  await slack.idle(150)

  // Grants: by line, by confirmation, by form.
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.sees('Granted', general)
  await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
  await alice.presses('Grant access', await alice.sees('Sensitive flags', general))
  await slack.idle(150)
  await alice.types('/grant 12 dave@example.com', general)
  await alice.seesModal('Grant access')
  await alice.submits({
    fields: { Role: 'Custom', Viewing: ['View the container', 'View the credits tab'] },
  })
  await slack.idle(150)
  await alice.types('/grant 12 dave@example.com', general)
  await alice.seesModal('Grant access')
  await alice.submits({
    fields: { Role: 'Custom', Administration: ['Make, change or delete webhooks'] },
  })
  await slack.idle(150)
  await alice.presses('Grant access', await alice.sees('Sensitive flags', general))
  await slack.idle(150)

  // Acts: by line, by form, from a message's menu.
  await alice.types(`/alert ${ks}`, general)
  const pressed = await alice.sees('Disk full', general)
  await alice.presses('Assign to somebody', pressed)
  await alice.seesModal('Assign alert')
  await slack.idle(150)
  await alice.submits({ fields: { 'Assign to': 'Alice Archer' } })
  await slack.idle(150)
  await alice.presses('Comment', pressed)
  await alice.seesModal('Comment on alert')
  await alice.submits({ fields: { Comment: 'Old logs, rotating.' } })
  await slack.idle(150)
  await alice.presses('Close alert', pressed)
  await alice.seesModal('Close alert')
  await alice.submits({ fields: { 'What fixed it?': 'Old logs, rotated.' } })
  await slack.idle(150)
  await alice.usesShortcut('act.add-as-comment', alice.says('It is the rotation.', pressed))
  await alice.seesModal('Comment on alert')
  await slack.idle(150)
  await alice.submits()
  await slack.idle(150)
  await alice.types(`/alert comment ${ks} "Looking at it."`, general)
  await alice.types(`/alert assign ${ks} 7 "Yours."`, general)
  await alice.types(`/alert close 7Abc "Cable was loose."`, general)
  await slack.idle(150)

  // Shortcuts and their modals.
  await alice.usesShortcut('alert.look-up')
  await alice.seesModal('Look up an alert')
  await alice.submits({ fields: { 'Alert key': ks, 'Post to': general } })
  await alice.usesShortcut('grant.form')
  await alice.seesModal('Grant access')
  await alice.suggest('Container', '12')
  await alice.closes()
  await alice.usesShortcut(
    'alert.look-up-in-message',
    alice.says('Somebody should have a look.', general),
  )
  await alice.seesModal('Look up an alert')
  await alice.submits({ fields: { 'Alert key': ks } })
  await slack.idle(150)

  // Words and links.
  await alice.writes(`@bellhop alert ${ks}`, general)
  await alice.writes(`alert ${ks}`, alice.dm)
  await alice.writes(`see ${service.linkOf(ks)}`, general)
  await alice.types(`/alert ${service.linkOf('twin')} private`, general)
  await alice.sees('2 alerts match that link', general)
  await slack.idle(150)

  const recorded = new Map<Kind, Json[]>()
  for (const { kind, payload } of slack.deliveries) {
    const type = kinds.find(
      (one) => one === (kind === 'event' ? `event ${record(payload.event).type}` : kind),
    )
    if (type !== undefined) recorded.set(type, [...(recorded.get(type) ?? []), payload])
  }
  deliver(false)
  forget()
  return recorded
}

/** After whatever has disconnected her. */
export async function connectAgain({ slack, alice }: HostileWorld): Promise<void> {
  while (alice.modal) await alice.closes()
  await connect(alice, token, slack)
}
