// What happened: for each thing that a person did, the requests that followed.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordedRequest } from '../monitor/requests.ts'
import type { MonitorService } from '../monitor/start-monitor.ts'
import type { Happening } from '../page/state.ts'
import type { Change } from '../slack/model.ts'
import type { Slack } from '../slack/simulator.ts'
import { type Clues, cluesOfAnswer, cluesOfCall, cluesOfDelivery, cluesOfRequest } from './happening-clues.ts'
import { Ongoing } from './happening-ongoing.ts'
import { Owners } from './happening-owners.ts'
import { type Shown, stepOfCall, stepOfDelivery, stepOfRequest } from './happening-steps.ts'
import type { Mask } from './mask.ts'

const KEPT = 200

export class Happenings {
  readonly #slack: Slack
  readonly #service: MonitorService
  readonly #mask: Mask
  readonly #all: Ongoing[] = []
  readonly #owners: Owners
  /** What the present code was set off by. */
  readonly #current = new AsyncLocalStorage<Ongoing>()
  /** Requests that are under way. */
  readonly #pending = new Map<object, { readonly owner: Ongoing; complete(shown: Shown): void }>()
  readonly #unanswered = new Set<RecordedRequest>()
  readonly #listeners = new Set<(happening: Happening) => void>()
  #requestsSeen: number
  #happeningCount = 0
  #stepCount = 0

  /** What went before is left out. */
  constructor(watched: { readonly slack: Slack; readonly service: MonitorService; readonly mask: Mask }) {
    const { slack, service, mask } = watched
    this.#slack = slack
    this.#service = service
    this.#mask = mask
    this.#owners = new Owners(this.#now)
    this.#requestsSeen = service.requests.length
    slack.onChange((change) => this.#safely(() => this.#takeChange(change)))
    service.onChange(() => this.#safely(() => this.#takeRequests()))
  }

  /** Oldest first. */
  list(): readonly Happening[] {
    return this.#all.map(({ shown }) => shown)
  }

  /** Does it, and gathers what follows from it. @param what - Its heading. */
  async during(what: string, work: () => Promise<unknown>): Promise<void> {
    const ongoing = this.#open(what)
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
      this.#begin(call, this.#find(cluesOfCall(call)), call.startedAt, stepOfCall(call, this.#mask))
    } else if (change.kind === 'call') {
      const { call } = change
      const owner = this.#pending.get(call)?.owner
      if (owner) this.#owners.mention(owner, cluesOfAnswer(call))
      this.#complete(call, stepOfCall(call, this.#mask))
    }
  }

  #takeRequests(): void {
    const { requests } = this.#service
    const { members } = this.#slack.workspace
    for (const request of requests.slice(this.#requestsSeen)) {
      const owner = this.#find(cluesOfRequest(request, members.values()))
      this.#begin(request, owner, request.at, stepOfRequest(request, this.#mask))
      this.#unanswered.add(request)
    }
    this.#requestsSeen = requests.length
    for (const request of [...this.#unanswered].filter(({ tookMs }) => tookMs !== undefined)) {
      this.#unanswered.delete(request)
      this.#complete(request, stepOfRequest(request, this.#mask))
    }
  }

  /** Whose it is; the bot's own when nothing speaks for another. */
  #find(clues: Clues): Ongoing {
    const found = this.#owners.find(clues, this.#all.at(-1))
    if (found) return found
    const own = this.#open('Bellhop by itself')
    own.finished()
    return own
  }

  #open(what: string): Ongoing {
    this.#happeningCount += 1
    const ongoing = new Ongoing({
      id: this.#happeningCount,
      what: this.#mask.text(what),
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
