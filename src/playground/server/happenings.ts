// What happened: for each thing that a person did, the requests that followed; and what the bot did by itself.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordedRequest } from '../monitor/requests.ts'
import type { MonitorService } from '../monitor/start-monitor.ts'
import type { Happening } from '../page/state.ts'
import type { Change, StartedCall } from '../slack/model.ts'
import type { Slack } from '../slack/simulator.ts'
import {
  type Clues,
  cluesOfAnswer,
  cluesOfCall,
  cluesOfDelivery,
  cluesOfRequest,
  sameAgain,
} from './happening-clues.ts'
import { Ongoing, type Origin } from './happening-ongoing.ts'
import { Owners } from './happening-owners.ts'
import { type Shown, stepOfCall, stepOfDelivery, stepOfRequest } from './happening-steps.ts'
import { headingOf, isDoneWith, type WatchRead, WatchReads } from './happening-watches.ts'
import type { Mask } from './mask.ts'

const KEPT = 200

/** What a watch led to may be told to people so long after it was told in the thread. */
const AFTER_WATCH_MS = 2_000

export class Happenings {
  readonly #slack: Slack
  readonly #service: MonitorService
  readonly #mask: Mask
  readonly #all: Ongoing[] = []
  readonly #owners: Owners
  readonly #watchReads: WatchReads
  /** What a watch led to last. */
  #watch: Ongoing | undefined
  /** What the present code was set off by. */
  readonly #current = new AsyncLocalStorage<Ongoing>()
  /** Requests that are under way. */
  readonly #pending = new Map<object, { readonly owner: Ongoing; complete(shown: Shown): void }>()
  readonly #unanswered = new Set<RecordedRequest>()
  readonly #listeners = new Set<(happening: Happening) => void>()
  /** The newest request that was taken. */
  #newest: RecordedRequest | undefined
  #happeningCount = 0
  #stepCount = 0

  /** What went before is left out. */
  constructor(watched: { readonly slack: Slack; readonly service: MonitorService; readonly mask: Mask }) {
    const { slack, service, mask } = watched
    this.#slack = slack
    this.#service = service
    this.#mask = mask
    this.#owners = new Owners(this.#now)
    this.#watchReads = new WatchReads(slack.workspace)
    this.#newest = service.requests.at(-1)
    slack.onChange((change) => this.#safely(() => this.#takeChange(change)))
    service.onChange(() => this.#safely(() => this.#takeRequests()))
  }

  /** Oldest first. */
  list(): readonly Happening[] {
    return this.#all.map(({ shown }) => shown)
  }

  /** Does it, and gathers what follows from it. @param what - Its heading. */
  async during(what: string, work: () => Promise<unknown>): Promise<void> {
    const ongoing = this.#open({ what })
    try {
      await this.#current.run(ongoing, work)
    } finally {
      ongoing.finished()
    }
  }

  /** Tells a happening anew after each change of it; returns how to stop. */
  onChange(listener: (happening: Happening) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #takeChange(change: Change): void {
    if (change.kind === 'delivery_started') {
      const { delivery } = change
      const clues = cluesOfDelivery(delivery)
      const owner = this.#current.getStore() ?? this.#find(clues)
      this.#owners.mention(owner, [...clues.exact, ...clues.vague])
      this.#begin(delivery, owner, delivery.startedAt, stepOfDelivery(delivery, this.#mask))
    } else if (change.kind === 'delivery') {
      this.#complete(change.delivery, stepOfDelivery(change.delivery, this.#mask))
    } else if (change.kind === 'call_started') {
      const { call } = change
      this.#begin(call, this.#ownerOf(call), call.startedAt, stepOfCall(call, this.#mask))
    } else if (change.kind === 'call') {
      const { call } = change
      const owner = this.#pending.get(call)?.owner
      if (owner) this.#owners.mention(owner, cluesOfAnswer(call))
      this.#complete(call, stepOfCall(call, this.#mask))
    }
  }

  #takeRequests(): void {
    const { requests } = this.#service
    const fresh = this.#newest ? requests.slice(requests.lastIndexOf(this.#newest) + 1) : [...requests]
    this.#newest = requests.at(-1)
    for (const request of fresh) {
      const clues = cluesOfRequest(request, this.#slack.workspace.members.values())
      if (!this.#watchReads.take(request, this.#owners.named(clues.vague)))
        this.#beginRequest(request, this.#find(clues))
    }
    this.#completeRequests()
  }

  #completeRequests(): void {
    for (const request of [...this.#unanswered].filter(({ tookMs }) => tookMs !== undefined)) {
      this.#unanswered.delete(request)
      this.#complete(request, stepOfRequest(request, this.#mask))
    }
  }

  #beginRequest(request: RecordedRequest, owner: Ongoing): void {
    this.#begin(request, owner, request.at, stepOfRequest(request, this.#mask))
    this.#unanswered.add(request)
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
    const own = this.#open({ what: 'Bellhop by itself' })
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

  #begin(request: object, owner: Ongoing, at: number, shown: Shown): void {
    this.#stepCount += 1
    this.#pending.set(request, { owner, complete: owner.begin(this.#stepCount, at, shown) })
  }

  #complete(request: object, shown: Shown): void {
    this.#pending.get(request)?.complete(shown)
    this.#pending.delete(request)
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
