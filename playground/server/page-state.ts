// Everything one person sees, as the page takes it.
import type { MessageState, PageState, ViewState, ViewsState } from '../page/state/state.ts'
import { records } from '../slack/model/json.ts'
import type { Channel, Message, View } from '../slack/model/model.ts'
import { chosenAs } from '../slack/model/view-state.ts'
import type { Person } from '../slack/person/person.ts'
import type { Slack } from '../slack/simulator.ts'
import { plainText } from '../slack/text/plain.ts'
import { userGroups } from '../slack/text/user-groups.ts'
import { isSeenBy } from '../slack/workspace/eyes.ts'
import type { Workspace } from '../slack/workspace/workspace.ts'
import { type Player, playerState } from './playing/player.ts'
import { invite } from './say.ts'
import { channelsOf, type Scene } from './scene.ts'

/** Older messages are left out: nobody scrolls that far in a playground. */
const MESSAGES = 400

export function pageState(player: Player, scene: Scene): PageState {
  const { clock, slack, service, seed, players, manifest, troubles } = scene
  const { person } = player
  const channels = channelsOf(person, slack)
  return {
    viewer: playerState(player),
    people: players.map(playerState),
    channels: channels.map((channel) => ({
      id: channel.id,
      name: channel.kind === 'im' ? 'Bellhop' : channel.name,
      kind: channel.kind,
      chosenAs: chosenAs(channel, person.id),
      hasBot: channel.members.has(slack.bot.userId),
    })),
    names: { ...namesIn(slack.workspace), [slack.bot.userId]: 'Bellhop' },
    messages: messagesFor(person, channels, slack),
    ...viewsState(player, scene),
    commands: [...manifest.commands, invite],
    shortcuts: manifest.shortcuts,
    alerts: service.alerts().map(({ ks, lastMessage, lastSeverity, closedTimestamp }) => ({
      ks,
      message: lastMessage,
      machine: service.machineOf(ks) || undefined,
      severity: lastSeverity,
      isClosed: closedTimestamp !== null,
      isEdgeCase: seed.edgeCases.has(ks),
    })),
    troubles: troubles.list(player, channels),
    aheadMs: clock.aheadMs(),
  }
}

/** The open modal and the Home tab alone. */
export function viewsState({ person }: Player, { slack, manifest }: Scene): ViewsState {
  const { workspace } = slack
  const home = workspace.views.home(person.id)
  return {
    modals: [workspace.views.modal(person.id)].flatMap((view) =>
      view ? [viewState(view, workspace)] : [],
    ),
    home: { isEnabled: manifest.hasHomeTab, view: home && viewState(home, workspace) },
  }
}

export function namesIn({ members, channels }: Workspace): Readonly<Record<string, string>> {
  const named = [...members.values(), ...channels.values()].map(({ id, name }) => [id, name])
  return Object.fromEntries([...named, ...[...userGroups].map(([name, id]) => [id, name])])
}

function messagesFor(
  person: Person,
  channels: readonly Channel[],
  { workspace }: Slack,
): MessageState[] {
  const ids = new Set(channels.map(({ id }) => id))
  return workspace.messages
    .filter((message) => ids.has(message.channelId) && isSeenBy(message, person.id))
    .slice(-MESSAGES)
    .map((message) => messageState(message, workspace))
}

export function messageState(message: Message, { members }: Workspace): MessageState {
  return {
    channelId: message.channelId,
    ts: message.ts,
    threadTs: message.threadTs,
    isBroadcast: message.broadcast,
    authorId: message.authorId,
    author: message.postedAs ?? members.get(message.authorId)?.realName ?? 'Slackbot',
    isApp: message.byBot || message.app !== undefined,
    isBellhop: message.byBot,
    text: message.text,
    blocks: message.blocks,
    attachments: message.attachments,
    unfurls: message.unfurls.map(({ id, attachment }) => ({ id, attachment })),
    isEphemeral: message.ephemeralFor !== undefined,
    isEdited: message.editedTs !== undefined,
  }
}

export function viewState(view: View, workspace: Workspace): ViewState {
  const { content } = view
  return {
    id: view.id,
    title: plainText(content.title, workspace),
    submit: content.submit === undefined ? undefined : plainText(content.submit, workspace),
    close:
      plainText(content.close, workspace) || (content.submit === undefined ? 'Close' : 'Cancel'),
    blocks: records(content.blocks),
    values: Object.fromEntries(
      [...view.typed].map(([id, actions]) => [id, Object.fromEntries(actions)]),
    ),
    suggested: Object.fromEntries(view.suggested),
    errors: Object.fromEntries(view.errors),
    trouble: view.trouble,
  }
}
