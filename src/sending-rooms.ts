// Builds the rooms that write at the service: acting on an alert, granting, approving, and sending, which each of them does.

import type { AccountRoom } from './account/room.ts'
import type { Tokens } from './account/tokens.ts'
import { actFollowUps } from './act/record.ts'
import type { ActRoom } from './act/room.ts'
import type { AlertRoom } from './alert/room.ts'
import type { ApprovalRoom } from './approval/room.ts'
import { grantFollowUps, type NoticeRoom } from './grant/follow-ups.ts'
import type { GrantRoom } from './grant/room.ts'
import type { HouseGround, World } from './ground.ts'
import { containerInWords, containersToSuggest, learnContainerName } from './names/containers.ts'
import { nameShown } from './names/naming.ts'
import type { NamesRoom } from './names/room.ts'
import type { SendRoom } from './send/room.ts'
import type { Pace } from './slack/outbound/pace.ts'
import type { Poller } from './watch/poller.ts'

/** Of the containers that somebody used, so many can be found by what they type. */
const mostContainers = 100

/** What writing stands on besides the ground. */
interface Below {
  readonly account: AccountRoom
  readonly tokens: Tokens
  readonly names: NamesRoom
  readonly alert: AlertRoom
  readonly poller: Pick<Poller, 'wake'>
  readonly pace: Pace
}

/** @param stopping - Aborts when the bot stops. */
export function buildSending(world: World, ground: HouseGround, stopping: AbortSignal, below: Below) {
  const { config, storage, log, now, wait } = world
  const { wishes, sends, watches, approvals } = storage
  const { roles, authProviders } = config
  const { operations } = config.monitor
  const { channels, slack, monitor, audit } = ground
  const { outbound, delivery, linkOf, people, scopes, sharedChannels } = slack
  const { account, tokens, names, alert, poller, pace } = below

  const notice: NoticeRoom = { people, scopes, outbound, beside: slack.work.run, log }
  const actedOn = actFollowUps({
    audit,
    log,
    ownIdOf: alert.ownIdOf,
    nameShown: async (person, userId) => nameShown(names, person, userId),
  })
  const followUps = {
    assign: actedOn,
    comment: actedOn,
    close: actedOn,
    'add-user': grantFollowUps({ audit, log, settings: { roles, authProviders }, notice }),
  }
  const send: SendRoom = {
    wishes,
    sends,
    once: storage.once,
    monitor,
    tokenOf: tokens.find,
    outbound,
    followUps,
    log,
    now,
    wait,
    stopping,
  }
  const act: ActRoom = {
    send,
    account,
    alert,
    names,
    reopenings: storage.reopenings,
    async makeDue(workspaceId, keys) {
      await watches.makeDue(workspaceId, keys)
      poller.wake()
    },
    people,
    sharedChannels,
    linkOf,
    pace,
    delivery,
    suggests: operations !== 'basic',
  }
  const grant: GrantRoom = {
    send,
    account,
    delivery,
    outbound,
    people,
    audit,
    now,
    settings: { roles, authProviders },
    approvalFlags: config.approval.flags,
    suggests: operations !== 'basic',
    knownContainers: (owner) => containersToSuggest(names, owner, mostContainers),
    async containerWords(owner, containerId, channelId) {
      const words = containerInWords(names, owner, containerId)
      if (words === undefined || channelId === undefined) return words
      return (await sharedChannels.in(owner.workspaceId).wasShared(channelId)) === false ? words : undefined
    },
    learnContainer: (owner, token, containerId) =>
      void slack.work.track(
        learnContainerName(names, owner, token, containerId).catch((error: unknown) =>
          log.warn({ err: error }, 'the name of a container could not be learned'),
        ),
      ),
    log,
  }
  const approval: ApprovalRoom = {
    containerWords: async (owner, containerId) => containerInWords(names, owner, containerId),
    approvals,
    send,
    tokens,
    people,
    page: account.page,
    delivery,
    outbound,
    channels,
    linkOf,
    audit,
    log,
    sharedChannels: slack.sharedChannels,
    mention: config.approval.mention,
    settings: { ttlHours: config.approval.ttlHours, roles },
  }

  return { send, act, grant, approval }
}
