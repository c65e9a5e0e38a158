// Tells the bot what happens in conversations: mentions, messages, links. Each event only where Slack would send it.

import type { Json } from '../model/json.ts'
import type { Change, Channel, Delivery, Message } from '../model/model.ts'
import {
  changedEvent,
  deletedEvent,
  linkEvent,
  mentionEvent,
  messageEvent,
} from '../payloads/event-payloads.ts'
import { appLinks } from '../text/links.ts'
import type { Draft } from '../workspace/shared-links.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Interactions } from './interactions.ts'
import { type EventName, isSubscribedTo } from './subscriptions.ts'

const messageEvents = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
} as const

export class Events {
  readonly #workspace: Workspace
  readonly #interactions: Interactions
  readonly #ofMessage = new WeakMap<Message, Promise<Delivery>[]>()

  constructor(workspace: Workspace, interactions: Interactions) {
    this.#workspace = workspace
    this.#interactions = interactions
    workspace.changes.on((change) => this.#hear(change))
  }

  /** What was sent when this message was posted, as soon as all of it is answered. */
  ofMessage(message: Message): Promise<readonly Delivery[]> {
    return Promise.all(this.#ofMessage.get(message) ?? [])
  }

  /** Somebody opens the conversation with the bot, at one of its tabs. Undefined when the bot is not told. */
  async opened(userId: string, channel: Channel, view?: Json): Promise<Delivery | undefined> {
    const event = { type: 'app_home_opened', user: userId, channel: channel.id, tab: 'home' }
    return this.#send('app_home_opened', view ? { ...event, view } : event, channel)
  }

  /** Links in what somebody is writing. Enterprise Grid tells of none. Undefined when the bot is not told. */
  async drafted(draft: Draft): Promise<Delivery | undefined> {
    const { options, enterprise, sharedLinks } = this.#workspace
    const links = appLinks(draft.text, [], options.unfurlDomains)
    if (enterprise || links.length === 0 || !this.#isToldOf('link_shared')) return undefined
    const shared = sharedLinks.inDraft(
      draft,
      links.map(({ url }) => url),
    )
    const channel = this.#channel(draft.channelId)
    const more = { threadTs: undefined, isBotMember: this.#hasBot(channel) }
    return this.#send('link_shared', linkEvent(shared, links, more, this.#workspace), channel)
  }

  #hear(change: Change): void {
    if (!('message' in change) || change.message.ephemeralFor !== undefined) return
    const { message } = change
    const channel = this.#channel(message.channelId)
    if (change.kind === 'message') this.#posted(message, channel)
    else if (this.#hasBot(channel)) {
      const event =
        'previous' in change
          ? changedEvent(message, change.previous, channel, this.#workspace)
          : deletedEvent(message, channel, this.#workspace)
      this.#send(messageEvents[channel.kind], event, channel)
    }
  }

  /** Whatever the bot posts itself comes back as a message, but neither as a mention nor as a shared link. */
  #posted(message: Message, channel: Channel): void {
    const isMention = message.text.includes(`<@${this.#workspace.bot.userId}`)
    const isMentioned = channel.kind !== 'im' && isMention && !message.byBot
    const sent = [
      isMentioned && this.#hasBot(channel)
        ? this.#send('app_mention', mentionEvent(message, this.#workspace), channel)
        : undefined,
      this.#hasBot(channel)
        ? this.#send(
            messageEvents[channel.kind],
            messageEvent(message, channel, this.#workspace),
            channel,
          )
        : undefined,
      message.byBot ? undefined : this.#linksOf(message, channel),
    ]
    this.#ofMessage.set(
      message,
      sent.filter((one) => one !== undefined),
    )
  }

  /** In every conversation, whether the bot is in it or not. */
  #linksOf(message: Message, channel: Channel): Promise<Delivery> | undefined {
    const { options, sharedLinks } = this.#workspace
    const links = appLinks(message.text, message.blocks, options.unfurlDomains)
    if (links.length === 0 || !this.#isToldOf('link_shared')) return undefined
    const shared = sharedLinks.inMessage({
      channelId: channel.id,
      ts: message.ts,
      userId: message.app ? undefined : message.authorId,
      urls: links.map(({ url }) => url),
    })
    const more = { threadTs: message.threadTs, isBotMember: this.#hasBot(channel) }
    return this.#send('link_shared', linkEvent(shared, links, more, this.#workspace), channel)
  }

  #isToldOf(name: EventName): boolean {
    return this.#interactions.isReachable && isSubscribedTo(name, this.#workspace.options)
  }

  #send(name: EventName, event: Json, channel: Channel): Promise<Delivery> | undefined {
    return this.#isToldOf(name) ? this.#interactions.event(event, channel) : undefined
  }

  #hasBot(channel: Channel): boolean {
    return channel.members.has(this.#workspace.bot.userId)
  }

  #channel(id: string): Channel {
    const channel = this.#workspace.channels.get(id)
    if (!channel) throw new Error(`No channel ${id}`)
    return channel
  }
}
