// One Slack for several workspaces, as an app that is installed by OAuth sees it: one address, one signing secret, one
// socket, and a bot token for each installation. Each workspace is a simulator of its own behind it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AppConfiguration, Authorizations } from './authorizations.ts'
import { answerFront, type FrontState } from './front-server.ts'
import type { Channel, Delivery } from './model/model.ts'
import { Stamps } from './model/stamps.ts'
import type { SlackOptions } from './options.ts'
import type { Person } from './person/person.ts'
import { startSlack } from './simulator.ts'
import type { Slack } from './slack.ts'
import { Socket } from './wire/socket.ts'
import { newApp, type SharedApp } from './workspace/app.ts'
import { Changes } from './workspace/changes.ts'
import { connectChannel } from './workspace/connect-channel.ts'

export interface FrontOptions extends AppConfiguration {
  /** Milliseconds since 1970. Default: the real clock. */
  readonly clock?: () => number
}

/** Starts a Slack without workspaces on 127.0.0.1. Stop it with `stop()`. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const clock = options.clock ?? Date.now
  const stamps = new Stamps(clock)
  const app = newApp(stamps)
  const socket = new Socket({ appId: app.appId, changes: new Changes() })
  const authorizations = new Authorizations(app, options, clock, stamps)
  const workspaces: Slack[] = []
  const state = {
    app,
    authorizations,
    socket,
    workspaces,
    accessCalls: 0,
    breaksAccess: false,
    rotatesTokens: false,
  }
  const server = createServer((request, response) => {
    answerFront(state, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${portOf(server.address())}`
  socket.listen(server, origin)
  return new Front(state, origin, workspaces, clock, () => {
    server.close()
    server.closeAllConnections()
  })
}

export class Front {
  /** What the bot's settings are made of. */
  readonly app: SharedApp
  readonly origin: string
  readonly socket: Socket
  /** In the order in which they were opened. */
  readonly workspaces: readonly Slack[]
  readonly #opened: Slack[]
  readonly #clock: () => number
  readonly #close: () => void
  readonly #state: FrontState
  #requestUrl: string | undefined

  constructor(
    state: FrontState,
    origin: string,
    workspaces: Slack[],
    clock: () => number,
    close: () => void,
  ) {
    const { app, socket } = state
    this.#state = state
    this.app = app
    this.origin = origin
    this.socket = socket
    this.workspaces = workspaces
    this.#opened = workspaces
    this.#clock = clock
    this.#close = close
  }

  /** How often the bot has asked for a token. */
  get accessCalls(): number {
    return this.#state.accessCalls
  }

  /** `oauth.v2.access` breaks off without an answer, and does nothing. */
  set breaksAccess(breaks: boolean) {
    this.#state.breaksAccess = breaks
  }

  /** The app has token rotation switched on: tokens are good for twelve hours. */
  set rotatesTokens(rotates: boolean) {
    this.#state.rotatesTokens = rotates
  }

  /** For `SLACK_API_URL`; ends with `/api/`. */
  get apiUrl(): string {
    return `${this.origin}/api/`
  }

  /** Another workspace, in which the app is not installed yet. With `isGrid`, an organisation. */
  async openWorkspace(options: Omit<SlackOptions, 'clock' | 'signingClock' | 'port'>): Promise<Slack> {
    const { app, socket, origin } = this
    const clock = this.#clock
    const slack = await startSlack({ ...options, clock, signingClock: clock }, { app, socket, origin })
    if (this.#requestUrl !== undefined) slack.deliverTo(this.#requestUrl)
    this.#opened.push(slack)
    return slack
  }

  /** Where the bot takes signed requests of every workspace. */
  deliverTo(requestUrl: string): void {
    this.#requestUrl = requestUrl
    for (const slack of this.#opened) slack.deliverTo(requestUrl)
  }

  /**
   * A channel of one customer, with people of another and their bot in it. Words written in one workspace are not shown
   * in the other. @returns The channel as the guests have it.
   */
  connect(channel: Channel, host: Slack, guest: Slack, guests: readonly Person[]): Channel {
    return connectChannel(channel, host.workspace, guest.workspace, guests)
  }

  /** Somebody installs the app from Slack's own pages. @returns Where their browser is sent. */
  installByButton(slack: Slack, userId: string): URL {
    return this.#state.authorizations.byButton({ slack, userId })
  }

  /** An admin takes the app out: its token is good no more, and the bot gets both events. */
  async uninstall(slack: Slack): Promise<readonly Delivery[]> {
    const { bot } = slack
    slack.workspace.uninstall()
    return Promise.all([
      slack.event({ type: 'tokens_revoked', tokens: { oauth: [], bot: [bot.userId] } }),
      slack.event({ type: 'app_uninstalled' }),
    ])
  }

  /** Resolves when nothing has been under way in any workspace for a moment. */
  async idle(): Promise<void> {
    await Promise.all(this.#opened.map((slack) => slack.idle()))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#opened.map((slack) => slack.stop()))
    await this.socket.close()
    this.#close()
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the front of Slack has no port')
  return address.port
}
