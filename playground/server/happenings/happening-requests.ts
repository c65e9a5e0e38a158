// Requests to the service, as they come in and as they are answered.
import type { RecordedRequest } from '../../monitor/requests.ts'
import type { MonitorService } from '../../monitor/start-monitor.ts'

export class Requests {
  readonly #service: Pick<MonitorService, 'requests'>
  readonly #unanswered = new Set<RecordedRequest>()
  /** The newest that was taken. */
  #newest: RecordedRequest | undefined

  /** What went before is left out. */
  constructor(service: Pick<MonitorService, 'requests'>) {
    this.#service = service
    this.#newest = service.requests.at(-1)
  }

  /** Those since the last call. */
  fresh(): readonly RecordedRequest[] {
    const { requests } = this.#service
    const fresh = this.#newest ? requests.slice(requests.lastIndexOf(this.#newest) + 1) : [...requests]
    this.#newest = requests.at(-1)
    return fresh
  }

  awaitAnswer(request: RecordedRequest): void {
    this.#unanswered.add(request)
  }

  /** Those awaited that were answered, or cut, since the last call. */
  answered(): readonly RecordedRequest[] {
    const answered = [...this.#unanswered].filter(({ tookMs }) => tookMs !== undefined)
    for (const request of answered) this.#unanswered.delete(request)
    return answered
  }
}
