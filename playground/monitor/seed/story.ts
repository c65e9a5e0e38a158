// The story of each alert at the stand-in service: what can happen to it, done as the service would, and what comes next.
import type { AlertHandle } from '../alerts.ts'
import type { MonitorService } from '../start-monitor.ts'
import { messageAfter } from './story-messages.ts'

export type AlertEvent =
  | 'worse'
  | 'better'
  | 'comment'
  | 'assign'
  | 'integration'
  | 'close'
  | 'reopen'

export interface Happened {
  readonly ks: string
  /** Said after its key, for people. */
  readonly happened: string
}

/** In this order, and then from the start. */
const chapters: readonly AlertEvent[] = [
  'comment',
  'worse',
  'assign',
  'integration',
  'better',
  'close',
  'reopen',
]

/** The service's names, the highest severity first. */
export const severities = [
  'EMERGENCY',
  'ALERT',
  'CRITICAL',
  'ERROR',
  'WARNING',
  'NOTICE',
  'INFORMATIONAL',
  'DEBUG',
]
const mildest = severities.length - 1

/** Users of the service, by id: Alice Archer and Heidi Holm, in the seed. */
const [somebody, colleague] = [7, 9]

export class Story {
  readonly #alert: AlertHandle
  readonly #service: Pick<MonitorService, 'reopen'>
  #chapter = 0

  constructor(alert: AlertHandle, service: Pick<MonitorService, 'reopen'>) {
    this.#alert = alert
    this.#service = service
  }

  /** @returns Undefined when that cannot happen: what is closed gets no worse. */
  happens(event: AlertEvent | 'next'): Happened | undefined {
    const chosen = event === 'next' ? this.#next() : event
    if (!this.#fits(chosen)) return undefined
    if (event === 'next') this.#chapter = chapters.indexOf(chosen) + 1
    return { ks: this.#alert.ks, happened: this.#tell(chosen) }
  }

  /** Whatever happened in between. */
  #next(): AlertEvent {
    const planned = chapters[this.#chapter % chapters.length] ?? 'comment'
    if (this.#fits(planned)) return planned
    return this.#isClosed ? 'reopen' : 'comment'
  }

  get #isClosed(): boolean {
    return this.#alert.values.closedTimestamp !== null
  }

  #fits(event: AlertEvent): boolean {
    return event === 'comment' || this.#isClosed === (event === 'reopen')
  }

  #tell(event: AlertEvent): string {
    const alert = this.#alert
    switch (event) {
      case 'worse':
      case 'better':
        return this.#hit(event)
      case 'comment':
        alert.act({ kind: 'Comment', data: { userId: somebody, message: 'Looking into it.' } })
        return 'gets a comment'
      case 'assign': {
        const [from, to] =
          alert.values.ownerId === colleague ? [colleague, somebody] : [somebody, colleague]
        alert.act({
          kind: 'Assign',
          data: { userId: from, ownerId: to, message: 'Yours, please.' },
        })
        return 'is assigned'
      }
      case 'integration':
        alert.act({
          kind: 'IntegrationCall',
          data: { integration: 'pager', result: { status: 202 } },
        })
        return 'calls an integration'
      case 'close':
        alert.close('Close', { userId: colleague, message: 'Fixed for good.' })
        return 'is closed'
      case 'reopen':
        this.#service.reopen(alert.ks, 'same')
        return 'opens again'
      default:
        return event satisfies never
    }
  }

  #hit(way: 'worse' | 'better'): string {
    const { ks, values } = this.#alert
    const { lastMessage, lastSeverity: before } = values
    const severity = way === 'worse' ? Math.max(0, before - 1) : Math.min(mildest, before + 1)
    this.#alert.hit({ message: messageAfter(ks, lastMessage, way), severity })
    const what = way === 'worse' ? 'gets worse' : 'gets better'
    if (severity === before) return `${what} but stays ${severities[severity]}`
    return `${what}, from ${severities[before] ?? before} to ${severities[severity] ?? severity}`
  }
}
