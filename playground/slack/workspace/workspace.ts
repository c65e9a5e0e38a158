// The stand-in workspace: people, channels, messages. Knows neither HTTP nor methods.

import type { MessageContent } from '../check/message.ts'
import type {
  Call,
  Channel,
  ChannelKind,
  Delivery,
  Member,
  Message,
  Unfurl,
} from '../model/model.ts'
import { Stamps } from '../model/stamps.ts'
import type { NewPerson, SlackOptions } from '../options.ts'
import { Changes } from './changes.ts'
import { isLost } from './eyes.ts'
import { fillIds } from './fill-ids.ts'
import { Limits } from './limits.ts'
import type { NewMessage } from './new-message.ts'
import { pingsOf } from './pings.ts'
import { SharedLinks } from './shared-links.ts'
import { ResponseUrls, Triggers } from './tickets.ts'
import { Views } from './views.ts'

/** With what is not said otherwise. */
export type WorkspaceOptions = SlackOptions & Required<Omit<SlackOptions, 'botEvents' | 'origin'>>

export class Workspace {
  readonly options: WorkspaceOptions
  readonly changes = new Changes()
  readonly limits: Limits
  readonly stamps: Stamps
  readonly views: Views
  readonly triggers: Triggers
  readonly responseUrls: ResponseUrls
  readonly sharedLinks: SharedLinks

  readonly teamId: string
  readonly teamDomain: string
  readonly teamName: string
  readonly enterprise: { readonly id: string; readonly name: string } | undefined
  readonly appId: string
  readonly bot: { readonly userId: string; readonly botId: string; readonly name: string }
  readonly botToken: string
  /** Installed for the whole organisation. */
  readonly isOrgWide: boolean
  readonly appToken: string
  readonly signingSecret: string
  readonly verificationToken: string

  readonly members = new Map<string, Member>()
  readonly channels = new Map<string, Channel>()
  /** Everything ever posted, in order, deleted ones too. */
  readonly messages: Message[] = []
  readonly calls: Call[] = []
  readonly deliveries: Delivery[] = []

  constructor(options: WorkspaceOptions) {
    this.options = options
    const stamps = new Stamps(options.clock)
    this.stamps = stamps
    this.limits = new Limits(options.clock, options.keepsLimits)
    this.teamId = stamps.id('T')
    this.teamName = options.teamName
    this.teamDomain = options.teamName.toLowerCase().replaceAll(' ', '-')
    this.enterprise = options.isGrid ? { id: stamps.id('E'), name: 'Playground Grid' } : undefined
    this.appId = stamps.id('A')
    this.botToken = `xoxb-playground-${stamps.secret()}`
    this.isOrgWide = options.isGrid && options.isOrgWide
    this.appToken = `xapp-playground-${stamps.secret()}`
    this.signingSecret = stamps.secret()
    this.verificationToken = stamps.secret()
    const bot = this.addMember({ name: 'bellhop', realName: 'Bellhop', isBot: true })
    this.bot = { userId: bot.id, botId: stamps.id('B'), name: bot.name }
    this.triggers = new Triggers(options.clock, stamps)
    this.responseUrls = new ResponseUrls(options.clock, stamps, this.teamId)
    this.sharedLinks = new SharedLinks(stamps)
    this.views = new Views(this)
  }

  addMember({ isOfOrganisation = false, ...person }: NewPerson): Member {
    const isOurs = person.teamId === undefined || isOfOrganisation
    const member: Member = {
      realName: person.name,
      displayName: person.name,
      email: undefined,
      teamId: this.teamId,
      isBot: false,
      isGuest: false,
      isAdmin: false,
      isDeleted: false,
      tz: 'Europe/Amsterdam',
      ...person,
      id: this.stamps.id('U'),
      enterpriseId: isOurs ? this.enterprise?.id : undefined,
    }
    // Throws for a zone that nobody can be in.
    new Intl.DateTimeFormat('en', { timeZone: member.tz })
    this.members.set(member.id, member)
    this.changes.tell({ kind: 'member', member })
    return member
  }

  addChannel(
    kind: ChannelKind,
    name: string,
    members: readonly string[],
    isShared = false,
  ): Channel {
    const channel: Channel = {
      id: this.stamps.id(kind === 'im' ? 'D' : 'C'),
      name,
      kind,
      members: new Set(members),
      isShared,
      isArchived: false,
      created: Math.floor(this.options.clock() / 1000),
    }
    this.channels.set(channel.id, channel)
    this.changes.tell({ kind: 'channel', channel })
    return channel
  }

  /** The direct conversation of two users; made when it does not exist. */
  directMessage(one: string, other: string): Channel {
    const found = [...this.channels.values()].find(
      ({ kind, members }) => kind === 'im' && members.has(one) && members.has(other),
    )
    return found ?? this.addChannel('im', 'directmessage', [one, other])
  }

  post({ parsesText = false, ...message }: NewMessage): Message {
    const byBot = message.authorId === this.bot.userId
    const blocks = fillIds(message.blocks ?? [], this.stamps)
    const posted: Message = {
      attachments: [],
      unfurls: [],
      broadcast: false,
      isDeleted: false,
      ...message,
      ts: this.stamps.ts(),
      byBot,
      blocks,
      isLost: byBot && isLost(message, this.messages),
      pings: pingsOf(message.text, blocks, this.#names(), parsesText),
    }
    this.messages.push(posted)
    this.changes.tell({ kind: 'message', message: posted })
    return posted
  }

  edit(message: Message, edit: MessageContent): void {
    const previous = { ...message }
    if (edit.text !== undefined) message.text = edit.text
    if (edit.blocks !== undefined) message.blocks = fillIds(edit.blocks, this.stamps)
    message.editedTs = this.stamps.ts()
    message.pings = pingsOf(message.text, message.blocks, this.#names())
    this.changes.tell({ kind: 'message_changed', message, previous })
  }

  /** Attaches to links of a message; what hung on the same links before is replaced. */
  unfurl(message: Message, unfurls: readonly Unfurl[]): void {
    const previous = { ...message }
    message.unfurls = unfurls
    this.changes.tell({ kind: 'message_changed', message, previous })
  }

  remove(message: Message): void {
    message.isDeleted = true
    this.changes.tell({ kind: 'message_deleted', message })
  }

  /** A message that exists for the Web API: neither deleted nor ephemeral. */
  find(channelId: string, ts: string): Message | undefined {
    return this.messages.find(
      (message) =>
        message.ts === ts &&
        message.channelId === channelId &&
        !message.isDeleted &&
        message.ephemeralFor === undefined,
    )
  }

  replies(parent: Message): Message[] {
    return this.messages.filter(
      ({ channelId, threadTs, isDeleted }) =>
        !isDeleted && channelId === parent.channelId && threadTs === parent.ts,
    )
  }

  #names(): string[] {
    return [...this.members.values()].map(({ name }) => name)
  }
}
