// Happenings: for each thing that a person did, the requests that followed; and what the bot did by itself. Of its reads of
// watched alerts, those that led to something.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordedRequest } from '../../monitor/requests.ts'
import type { MonitorService } from '../../monitor/start-monitor.ts'
import type { Happening } from '../../page/state/state.ts'
import { record } from '../../slack/model/json.ts'
import type { Change, StartedDelivery } from '../../slack/model/model.ts'
import type { Slack } from '../../slack/simulator.ts'
import {
  type Clues,
  cluesOfAnswer,
  cluesOfCall,
  cluesOfDelivery,
  cluesOfRequest,
} from './happening-clues.ts'
import { Ongoing } from './happening-ongoing.ts'
import { type Shown, stepOfCall, stepOfDelivery, stepOfRequest } from './happening-steps.ts'
import type { Mask } from './mask.ts'

const mostKept = 200
/** What comes later than this after all else of a happening has no part in it, unless it says so. */
const lateMs = 60_000
/** The bot tells what a read of its own has shown within this time. */
const ledToMs = 2_000

export class Happenings {
  readonly #slack: Slack
  readonly #service: MonitorService
  readonly #mask: Mask
  readonly #all: Ongoing[] = []
  /** By clue: what mentioned it last. */
  readonly #mentions = new Map<string, Ongoing>()
  /** The newest read that the bot made by itself. */
  #ownRead: Ongoing | undefined
  readonly #ownReads = new WeakSet<Ongoing>()
  /** Steps under way: what completes each. */
  readonly #steps = new Map<object, { readonly owner: Ongoing; complete(shown: Shown): void }>()
  readonly #taken = new WeakSet<RecordedRequest>()
  /** What the present code was set off by. */
  readonly #current = new AsyncLocalStorage<() => Ongoing>()
  readonly #listeners = new Set<(happening: Happening) => void>()
  #count = 0

  /** What went before is left out. */
  constructor(watched: {
    readonly slack: Slack
    readonly service: MonitorService
    readonly mask: Mask
  }) {
    const { slack, service, mask } = watched
    this.#slack = slack
    this.#service = service
    this.#mask = mask
    for (const request of service.requests) this.#taken.add(request)
    slack.onChange((change) => this.#safely(() => this.#takeChange(change)))
    service.onChange(() => this.#safely(() => this.#takeRequests()))
  }

  /** Oldest first. */
  list(): readonly Happening[] {
    return this.#all.map(({ shown }) => shown)
  }

  /** Does it, and gathers what follows from it. @param what - Its heading. */
  during(what: string, work: () => Promise<unknown>): Promise<void> {
    return this.#gather(what, work, this.#open(what))
  }

  /** The same, but that it is told only when the bot hears of it. */
  whenHeard(what: string, work: () => Promise<unknown>): Promise<void> {
    return this.#gather(what, work, undefined)
  }

  /** Tells a happening anew after each change of it; returns how to stop. */
  onChange(listener: (happening: Happening) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #gather(
    what: string,
    work: () => Promise<unknown>,
    begun: Ongoing | undefined,
  ): Promise<void> {
    let ongoing = begun
    const owner = () => {
      ongoing ??= this.#open(what)
      return ongoing
    }
    try {
      await this.#current.run(owner, work)
    } finally {
      ongoing?.finished()
    }
  }

  #takeChange(change: Change): void {
    if (change.kind === 'delivery_started') {
      const { delivery } = change
      if (isEcho(delivery, this.#slack.bot)) return
      const clues = cluesOfDelivery(delivery)
      const owner = this.#current.getStore()?.() ?? this.#find(clues)
      this.#mention(owner, [...clues.exact, ...clues.vague])
      this.#begin(delivery, owner, delivery.startedAt, stepOfDelivery(delivery, this.#mask))
    } else if (change.kind === 'delivery') {
      this.#complete(change.delivery, stepOfDelivery(change.delivery, this.#mask))
    } else if (change.kind === 'call_started') {
      const { call } = change
      this.#begin(call, this.#find(cluesOfCall(call)), call.startedAt, stepOfCall(call, this.#mask))
    } else if (change.kind === 'call') {
      const { call } = change
      const owner = this.#steps.get(call)?.owner
      if (owner) this.#mention(owner, cluesOfAnswer(call))
      this.#complete(call, stepOfCall(call, this.#mask))
    }
  }

  #takeRequests(): void {
    for (const request of this.#service.requests) {
      if (!this.#taken.has(request)) {
        this.#taken.add(request)
        this.#begin(request, this.#ownerOf(request), request.at, stepOfRequest(request, this.#mask))
      }
      if (request.tookMs !== undefined && this.#steps.has(request))
        this.#complete(request, stepOfRequest(request, this.#mask))
    }
  }

  /** What somebody is at reads one alert; another read is the bot's own. */
  #ownerOf(request: RecordedRequest): Ongoing {
    const { exact, vague } = cluesOfRequest(request, this.#slack.workspace.members.values())
    const [, ks] = /^\/alert\/([^/]+)$/.exec(request.method === 'GET' ? request.path : '') ?? []
    const isAtIt = (one: Ongoing | undefined) => one?.isOver === false && !hasReadAnAlert(one)
    const reader = [this.#named(vague), this.#all.at(-1)].find(isAtIt)
    const owner =
      this.#named(exact) ??
      (ks === undefined ? this.#find({ exact: [], vague }) : (reader ?? this.#openOwnRead(ks)))
    this.#mention(owner, exact)
    return owner
  }

  /** It is told once it leads to something. */
  #openOwnRead(ks: string): Ongoing {
    const read = this.#make(`Bellhop checked ${decodeURIComponent(ks)}`)
    read.finished()
    this.#ownRead = read
    this.#ownReads.add(read)
    return read
  }

  /** Whose it is; the bot's own when nothing speaks for another. */
  #find({ exact, vague }: Clues): Ongoing {
    const named = this.#named(exact)
    if (named?.isOver === false && !this.#ownReads.has(named)) return named
    const read = this.#ownRead
    if (
      read &&
      exact.some((clue) => clue.startsWith('message ')) &&
      this.#now() - read.lastAt < ledToMs
    ) {
      if (!this.#all.includes(read)) this.#keep(read)
      this.#mention(read, exact)
      return read
    }
    if (named) return named
    const likely = [this.#named(vague), this.#all.at(-1)]
    const found = likely.find((one) => one && !(one.isOver && this.#now() - one.lastAt > lateMs))
    if (found) return found
    const own = this.#open('Bellhop on its own')
    own.finished()
    return own
  }

  /** What mentioned the first of these that anything did. */
  #named(clues: readonly string[]): Ongoing | undefined {
    return clues.map((clue) => this.#mentions.get(clue)).find((ongoing) => ongoing !== undefined)
  }

  #mention(ongoing: Ongoing, clues: readonly string[]): void {
    for (const clue of clues) this.#mentions.set(clue, ongoing)
  }

  /** @param at - Milliseconds since 1970. */
  #begin(request: object, owner: Ongoing, at: number, shown: Shown): void {
    this.#steps.set(request, { owner, complete: owner.begin(at, shown) })
  }

  /** Does nothing for what was never begun. */
  #complete(request: object, shown: Shown): void {
    this.#steps.get(request)?.complete(shown)
    this.#steps.delete(request)
  }

  #open(what: string): Ongoing {
    const ongoing = this.#make(what)
    this.#keep(ongoing)
    return ongoing
  }

  #make(what: string): Ongoing {
    this.#count += 1
    return new Ongoing(this.#count, this.#mask.text(what), this.#now, this.#tell)
  }

  #keep(ongoing: Ongoing): void {
    this.#all.push(ongoing)
    const oldest = this.#all.length > mostKept ? this.#all.shift() : undefined
    for (const [clue, owner] of this.#mentions) if (owner === oldest) this.#mentions.delete(clue)
    this.#tell(ongoing)
  }

  readonly #tell = (ongoing: Ongoing): void => {
    const isKept = this.#all.includes(ongoing)
    if (isKept) for (const listener of [...this.#listeners]) listener(ongoing.shown)
    // Nobody asks for a read that led to nothing.
    else if (ongoing.isOver && ongoing !== this.#ownRead)
      for (const [clue, owner] of this.#mentions) if (owner === ongoing) this.#mentions.delete(clue)
  }

  readonly #now = (): number => this.#slack.workspace.options.clock()

  /** A mistake here must not keep Slack or the service from answering. */
  #safely(take: () => void): void {
    try {
      take()
    } catch (error) {
      console.error('“What happened” lacks something:', error)
    }
  }
}

function hasReadAnAlert({ shown }: Ongoing): boolean {
  return shown.steps.some(({ to, title }) => to === 'service' && title.startsWith('GET /alert/'))
}

/** Slack tells the bot of its own doing. Nothing follows from it, and nobody needs to hear of it. */
function isEcho({ kind, payload }: StartedDelivery, bot: { readonly botId: string }): boolean {
  const { type, hidden, bot_id: writer } = record(payload.event)
  return kind === 'event' && type === 'message' && (hidden === true || writer === bot.botId)
}
