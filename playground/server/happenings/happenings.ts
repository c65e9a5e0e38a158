// Happenings: for each thing that a person did, the requests that followed; and what the bot did by itself.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordedRequest } from '../../monitor/requests.ts'
import type { MonitorService } from '../../monitor/start-monitor.ts'
import type { Happening } from '../../page/state/state.ts'
import type { Change, StartedCall } from '../../slack/model/model.ts'
import type { Slack } from '../../slack/simulator.ts'
import {
  type Clues,
  cluesOfAnswer,
  cluesOfCall,
  cluesOfDelivery,
  cluesOfRequest,
  sameAgain,
} from './happening-clues.ts'
import { isEcho } from './happening-echoes.ts'
import { Ongoing, type Origin } from './happening-ongoing.ts'
import { Owners } from './happening-owners.ts'
import { Pending } from './happening-pending.ts'
import { Requests } from './happening-requests.ts'
import { stepOfCall, stepOfDelivery, stepOfRequest } from './happening-steps.ts'
import { headingOf, isDoneWith, type WatchRead, WatchReads } from './happening-watches.ts'
import type { Mask } from './mask.ts'

const KEPT = 200

/** What a watch led to may be told to people so long after it was told in the thread. */
const AFTER_WATCH_MS = 2_000

export class Happenings {
  readonly #slack: Slack
  readonly #requests: Requests
  readonly #mask: Mask
  readonly #all: Ongoing[] = []
  readonly #owners: Owners
  readonly #watchReads: WatchReads
  /** What a watch led to last. */
  #watch: Ongoing | undefined
  /** What the present code was set off by. */
  readonly #current = new AsyncLocalStorage<() => Ongoing>()
  readonly #pending = new Pending()
  readonly #listeners = new Set<(happening: Happening) => void>()
  #happeningCount = 0

  /** What went before is left out. */
  constructor(watched: { readonly slack: Slack; readonly service: MonitorService; readonly mask: Mask }) {
    const { slack, service, mask } = watched
    this.#slack = slack
    this.#requests = new Requests(service)
    this.#mask = mask
    this.#owners = new Owners(this.#now)
    this.#watchReads = new WatchReads(slack.workspace)
    slack.onChange((change) => this.#safely(() => this.#takeChange(change)))
    service.onChange(() => this.#safely(() => this.#takeRequests()))
  }

  /** Oldest first. */
  list(): readonly Happening[] {
    return this.#all.map(({ shown }) => shown)
  }

  /** Does it, and gathers what follows from it. @param what - Its heading. */
  during(what: string, work: () => Promise<unknown>): Promise<void> {
    return this.#gather(what, work, this.#open({ what }))
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

  async #gather(what: string, work: () => Promise<unknown>, begun: Ongoing | undefined): Promise<void> {
    let ongoing = begun
    const owner = () => {
      ongoing ??= this.#open({ what })
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
      this.#owners.mention(owner, [...clues.exact, ...clues.vague])
      this.#pending.begin(delivery, owner, delivery.startedAt, stepOfDelivery(delivery, this.#mask))
    } else if (change.kind === 'delivery') {
      this.#pending.complete(change.delivery, stepOfDelivery(change.delivery, this.#mask))
    } else if (change.kind === 'call_started') {
      const { call } = change
      this.#pending.begin(call, this.#ownerOf(call), call.startedAt, stepOfCall(call, this.#mask))
    } else if (change.kind === 'call') {
      const { call } = change
      const owner = this.#pending.ownerOf(call)
      if (owner) this.#owners.mention(owner, cluesOfAnswer(call))
      this.#pending.complete(call, stepOfCall(call, this.#mask))
    }
  }

  #takeRequests(): void {
    for (const request of this.#requests.fresh()) {
      const clues = cluesOfRequest(request, this.#slack.workspace.members.values())
      if (!this.#watchReads.take(request, this.#owners.named(clues.vague)))
        this.#beginRequest(request, this.#find(clues))
    }
    this.#completeRequests()
  }

  #completeRequests(): void {
    for (const request of this.#requests.answered())
      this.#pending.complete(request, stepOfRequest(request, this.#mask))
  }

  #beginRequest(request: RecordedRequest, owner: Ongoing): void {
    this.#pending.begin(request, owner, request.at, stepOfRequest(request, this.#mask))
    this.#requests.awaitAnswer(request)
  }

  #ownerOf(call: StartedCall): Ongoing {
    const clues = cluesOfCall(call)
    const again = this.#owners.named([sameAgain(call)])
    if (again) return again
    const owner = this.#owners.named(clues.exact)
    const isAtIt = owner?.isOver === false && owner !== this.#watch
    const read = isAtIt ? undefined : this.#watchReads.behind(call)
    if (read && !(owner && isDoneWith(read, owner, this.#now()))) return this.#ledToBy(read, clues)
    if (owner) return owner
    const isSomebodyAtIt = this.#owners.named(clues.vague)?.isOver === false
    const watch = isSomebodyAtIt ? undefined : this.#watch
    return watch && this.#now() - watch.lastAt < AFTER_WATCH_MS ? watch : this.#find(clues)
  }

  /** What a read of a watched alert led to, which this call is part of. */
  #ledToBy(read: WatchRead, { exact }: Clues): Ongoing {
    if (!read.shown || !isDoneWith(read, read.shown, this.#now())) {
      const { about, isCause } = headingOf(read, this.#now())
      read.shown = this.#open(about)
      if (isCause) this.#beginRequest(read.request, read.shown)
      this.#completeRequests()
      read.shown.finished()
    }
    this.#watch = read.shown
    this.#owners.mention(read.shown, exact)
    return read.shown
  }

  /** Whose it is; the bot's own when nothing speaks for another. */
  #find(clues: Clues): Ongoing {
    const found = this.#owners.find(clues, this.#all.at(-1))
    if (found) return found
    const own = this.#open({ what: 'Bellhop on its own' })
    own.finished()
    return own
  }

  #open(about: Omit<Origin, 'id' | 'now' | 'changed'>): Ongoing {
    this.#happeningCount += 1
    const ongoing = new Ongoing({
      ...about,
      id: this.#happeningCount,
      what: this.#mask.text(about.what),
      now: this.#now,
      changed: this.#tell,
    })
    this.#all.push(ongoing)
    const oldest = this.#all.length > KEPT ? this.#all.shift() : undefined
    if (oldest) this.#owners.forget(oldest)
    this.#tell(ongoing)
    return ongoing
  }

  readonly #tell = ({ shown }: Ongoing): void => {
    for (const listener of [...this.#listeners]) listener(shown)
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
