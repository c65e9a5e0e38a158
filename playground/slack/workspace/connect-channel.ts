// A channel that two customers of one app share, as by Slack Connect: it has one id for both, and each sees the other's
// people as people of another organisation. Of both installations, events name the one that joined last.
// Source: slackapi/bolt-js#2008.
import type { Channel, Connection } from '../model/model.ts'
import type { Workspace } from './workspace.ts'

export function connectChannel(
  channel: Channel,
  host: Workspace,
  guest: Workspace,
  guests: readonly { readonly id: string }[],
): Channel {
  const connection: Connection = {
    named: { teamId: guest.teamId, botUserId: guest.bot.userId },
    botUserIds: [host.bot.userId, guest.bot.userId],
  }
  const members = new Set([...channel.members, ...guests.map(({ id }) => id), guest.bot.userId])
  const theirs: Channel = { ...channel, members, isShared: true, connection }
  channel.isShared = true
  channel.connection = connection
  for (const { id } of guests) channel.members.add(id)
  guest.channels.set(theirs.id, theirs)
  introduce(host, guest, channel.members)
  introduce(guest, host, theirs.members)
  return theirs
}

/** People of one workspace, known to the other. Bots stay with their own: both have one name. */
function introduce(from: Workspace, to: Workspace, ids: ReadonlySet<string>): void {
  for (const id of ids) {
    const member = from.members.get(id)
    if (member === undefined || member.isBot || member.teamId !== from.teamId) continue
    to.members.set(id, { ...member, enterpriseId: undefined })
  }
}
