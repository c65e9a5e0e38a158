// A person who looks at Slack, and waits until they see something. Acting is `person.ts`.
import type { Channel, Member, Message } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { screenOf, visibleMessages } from './screen.ts'
import { SeenMessage, SeenModal } from './seen.ts'
import type { SeenUnfurl } from './seen-unfurl.ts'

/** How long a person waits to see something, in real milliseconds. */
const LIMIT_MS = 30_000

export type Pattern = string | RegExp

export interface Waiting {
  /** Real milliseconds, default 5000. */
  readonly limitMs?: number
}

export class Onlooker {
  protected readonly workspace: Workspace
  /** Who this is. */
  readonly member: Member

  constructor(member: Member, workspace: Workspace) {
    this.member = member
    this.workspace = workspace
  }

  get id(): string {
    return this.member.id
  }

  get name(): string {
    return this.member.name
  }

  /** The direct conversation with the bot. */
  get dm(): Channel {
    return this.workspace.directMessage(this.workspace.bot.userId, this.id)
  }

  /** Waits for the newest message like this in a channel, or in the thread of a message. */
  sees(
    pattern: Pattern,
    where: Channel | SeenMessage,
    { limitMs = LIMIT_MS }: Waiting = {},
  ): Promise<SeenMessage> {
    return this.workspace.changes.until(
      () => this.visible(where).findLast(({ plain }) => matches(plain, pattern)),
      limitMs,
      () => `${this.name} does not see ${pattern}. ${this.whole(where)}`,
    )
  }

  /** Waits until nothing is under way, and throws when there is a message like this. */
  async doesNotSee(pattern: Pattern, where: Channel | SeenMessage): Promise<void> {
    await this.workspace.changes.idle()
    const found = this.visible(where).find(({ plain }) => matches(plain, pattern))
    if (found) throw new Error(`${this.name} sees ${pattern}. ${this.whole(where)}`)
  }

  /** Waits until the top of the open views has this title. */
  seesModal(title: Pattern, { limitMs = LIMIT_MS }: Waiting = {}): Promise<SeenModal> {
    return this.workspace.changes.until(
      () => {
        const { modal } = this
        return modal && matchesWhole(modal.title, title) ? modal : undefined
      },
      limitMs,
      () => `${this.name} does not see the modal "${title}". ${this.whole(undefined)}`,
    )
  }

  /** Waits until no modal is open. */
  async seesNoModal({ limitMs = LIMIT_MS }: Waiting = {}): Promise<void> {
    await this.workspace.changes.until(
      () => (this.modal ? undefined : true),
      limitMs,
      () => `${this.name} still sees a modal. ${this.whole(undefined)}`,
    )
  }

  /** Waits until something like this hangs beneath a link of the message. */
  seesUnfurl(
    pattern: Pattern,
    message: SeenMessage,
    { limitMs = LIMIT_MS }: Waiting = {},
  ): Promise<SeenUnfurl> {
    return this.workspace.changes.until(
      () => message.unfurls.find(({ plain }) => matches(plain, pattern)),
      limitMs,
      () => `${this.name} does not see ${pattern} beneath a link. ${this.whole(message)}`,
    )
  }

  /** The modal on top, if any. */
  get modal(): SeenModal | undefined {
    const top = this.workspace.views.modal(this.id)
    return top && new SeenModal(top, this.member, this.workspace)
  }

  /** The Home tab as published, if it was. */
  get home(): SeenModal | undefined {
    const view = this.workspace.views.home(this.id)
    return view && new SeenModal(view, this.member, this.workspace)
  }

  /** Waits for a Home tab like this. */
  seesHome(pattern: Pattern, { limitMs = LIMIT_MS }: Waiting = {}): Promise<SeenModal> {
    return this.workspace.changes.until(
      () => (this.home && matches(this.home.plain, pattern) ? this.home : undefined),
      limitMs,
      () =>
        `${this.name} does not see ${pattern} on the Home tab:\n${this.home?.plain ?? '(nothing)'}`,
    )
  }

  /** Everything this person sees there, as plain text. */
  screen(channel?: Channel): string {
    return screenOf(channel, this.member, this.workspace)
  }

  /** Top-level messages this person sees there, oldest first. */
  messages(channel: Channel): SeenMessage[] {
    return visibleMessages(channel, this.member, this.workspace)
  }

  private visible(where: Channel | SeenMessage): SeenMessage[] {
    return where instanceof SeenMessage ? where.thread : this.messages(where)
  }

  protected channelOf({ channelId }: Message): Channel {
    const channel = this.workspace.channels.get(channelId)
    if (!channel) throw new Error(`No channel ${channelId}`)
    return channel
  }

  /** The whole screen, and what Slack refused of late, for error messages. */
  protected whole(where: Channel | SeenMessage | undefined): string {
    const channel = where instanceof SeenMessage ? this.channelOf(where.message) : where
    const refused = this.workspace.calls
      .filter(({ answer }) => answer.ok !== true)
      .slice(-3)
      .map(({ method, answer }) => `${method}: ${JSON.stringify(answer)}`)
    const problems = this.workspace.deliveries
      .filter(({ problems: said }) => said.length > 0)
      .slice(-3)
      .map(({ kind, problems: said }) => `${kind}: ${said.join('; ')}`)
    const trouble = [...refused, ...problems]
    const slackSaid = trouble.length > 0 ? `\n\nRefused by Slack:\n${trouble.join('\n')}` : ''
    return `The whole screen:\n${this.screen(channel)}${slackSaid}`
  }
}

function matches(plain: string, pattern: Pattern): boolean {
  return typeof pattern === 'string' ? plain.includes(pattern) : pattern.test(plain)
}

function matchesWhole(title: string, pattern: Pattern): boolean {
  return typeof pattern === 'string' ? title === pattern : pattern.test(title)
}
