// The stand-in workspace from outside: who is in it, what other apps write, what the bot did. Started by `simulator.ts`.
import type { Events } from './deliver/events.ts'
import type { Interactions } from './deliver/interactions.ts'
import { postByWebhook, type WebhookPost } from './deliver/other-apps.ts'
import { isSubscribedTo } from './deliver/subscriptions.ts'
import { userPayload } from './methods/people.ts'
import type { Json } from './model/json.ts'
import type { Call, Change, Channel, Delivery, Member, Message } from './model/model.ts'
import type { NewChannel, NewPerson } from './options.ts'
import { Person } from './person/person.ts'
import type { ApiServer } from './wire/server.ts'
import type { Socket } from './wire/socket.ts'
import type { Trouble } from './wire/trouble.ts'
import type { Workspace } from './workspace/workspace.ts'

export class Slack {
  /** The state itself, for pages and scripts that show all of it. */
  readonly workspace: Workspace
  readonly trouble: Trouble
  readonly socket: Socket
  readonly #api: ApiServer
  readonly #interactions: Interactions
  readonly #events: Events
  readonly #people = new Map<string, Person>()

  constructor(
    workspace: Workspace,
    trouble: Trouble,
    socket: Socket,
    api: ApiServer,
    interactions: Interactions,
    events: Events,
  ) {
    this.workspace = workspace
    this.trouble = trouble
    this.socket = socket
    this.#api = api
    this.#interactions = interactions
    this.#events = events
  }

  /** For `SLACK_API_URL` and `slackApiUrl`; ends with `/api/`. */
  get apiUrl(): string {
    return `${this.#api.origin}/api/`
  }

  get botToken(): string {
    return this.workspace.botToken
  }

  get appToken(): string {
    return this.workspace.appToken
  }

  get signingSecret(): string {
    return this.workspace.signingSecret
  }

  get teamId(): string {
    return this.workspace.teamId
  }

  get bot(): Workspace['bot'] {
    return this.workspace.bot
  }

  /** Every call of the bot, response urls included, oldest first. */
  get calls(): readonly Call[] {
    return this.workspace.calls
  }

  /** Everything sent to the bot, in the order it was answered. */
  get deliveries(): readonly Delivery[] {
    return this.workspace.deliveries
  }

  /** Where the bot takes signed requests, such as `http://127.0.0.1:3000/slack/events`. */
  deliverTo(requestUrl: string): void {
    this.#interactions.courier.requestUrl = requestUrl
  }

  addPerson(person: NewPerson): Person {
    const member = this.workspace.addMember(person)
    const added = new Person(member, this.workspace, this.#interactions, this.#events)
    this.#people.set(person.name, added)
    return added
  }

  /** Somebody who was added. */
  person(name: string): Person {
    const found = this.#people.get(name)
    if (!found)
      throw new Error(`Nobody called ${name}; there are: ${[...this.#people.keys()].join(', ')}`)
    return found
  }

  addChannel({ name, isPrivate, isShared, members, botIsMember }: NewChannel): Channel {
    const people = members?.map((one) => (typeof one === 'string' ? this.person(one) : one).id)
    const everybody = [...this.#people.values()].filter(
      ({ member }) => member.teamId === this.teamId && !member.isDeleted,
    )
    const ids = people ?? everybody.map(({ id }) => id)
    if (botIsMember) ids.push(this.bot.userId)
    return this.workspace.addChannel(isPrivate ? 'private' : 'public', name, ids, isShared)
  }

  /** The direct conversation of two people, which the bot is not in. */
  directMessage(one: Person, other: Person): Channel {
    return this.workspace.directMessage(one.id, other.id)
  }

  /** Another tool posts by its webhook: no user, `bot_id` of its own, attachments in full. */
  webhook(channel: Channel, post: WebhookPost): Message {
    return postByWebhook(channel, post, this.workspace)
  }

  /** Everything posted there and not deleted, ephemerals and replies too, oldest first. */
  messagesIn(channel: Channel): Message[] {
    return this.workspace.messages.filter(
      ({ channelId, isDeleted }) => channelId === channel.id && !isDeleted,
    )
  }

  /** Whom all that the bot ever wrote notified. */
  get pings(): string[] {
    return this.workspace.messages.flatMap(({ byBot, pings }) => (byBot ? [...pings] : []))
  }

  /** Sends any event to the bot, subscribed or not; again when it is not taken. Returns the last delivery. */
  event(event: Json): Promise<Delivery> {
    return this.#interactions.event(event)
  }

  /** Somebody is deactivated: the bot gets `user_change`. */
  deactivate(person: Person): Promise<Delivery> {
    person.member.isDeleted = true
    return this.event({ type: 'user_change', user: this.userPayload(person.member) })
  }

  /** Somebody removes the bot from a channel, which it is told of where it is subscribed to that. */
  async removeBot(channel: Channel, by: Person): Promise<Delivery | undefined> {
    channel.members.delete(this.bot.userId)
    this.workspace.changes.tell({ kind: 'channel', channel })
    const type = channel.kind === 'private' ? 'group_left' : 'channel_left'
    if (!isSubscribedTo(type, this.workspace.options)) return undefined
    return this.#interactions.event({ type, channel: channel.id, actor_id: by.id }, channel)
  }

  addBot(channel: Channel): void {
    channel.members.add(this.bot.userId)
    this.workspace.changes.tell({ kind: 'channel', channel })
  }

  /** From now on another organisation reads in it; undefined when the bot is not told of that. */
  async share(channel: Channel): Promise<Delivery | undefined> {
    channel.isShared = true
    if (!isSubscribedTo('channel_shared', this.workspace.options)) return undefined
    return this.event({
      type: 'channel_shared',
      connected_team_id: 'T0OTHER01',
      channel: channel.id,
    })
  }

  /** Somebody as users.info shows them. */
  userPayload(member: Member): Json {
    return userPayload(member, this.workspace)
  }

  /** Sends the very same signed request once more. */
  redeliver(delivery: Delivery): Promise<Delivery> {
    return this.#interactions.redeliver(delivery)
  }

  /** Resolves when no call or delivery has been under way for a moment (40 real ms, or as given). */
  idle(quietMs?: number): Promise<void> {
    return this.workspace.changes.idle(quietMs)
  }

  /** Tells every change; returns how to stop. */
  onChange(listener: (change: Change) => void): () => void {
    return this.workspace.changes.on(listener)
  }

  async stop(): Promise<void> {
    await this.socket.close()
    await this.#api.close()
  }
}
