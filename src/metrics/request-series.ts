// Series of requests that begin at 0: what a request may be about, and how it may end. What else happens is counted all
// the same, from then on.
import { monitorErrorCodes } from '../errors.ts'
import { notGrantedCodes } from '../grant/grants.ts'
import type { Outcome } from '../log/request.ts'
import { type Handled, requestKinds } from '../slack/observer.ts'

const everybody = ['ok', 'user-error', 'connect', 'limited', 'busy', 'replayed', 'failed'] as const

const outcomes: Readonly<Record<Handled['about'], readonly Outcome[]>> = {
  alert: [...everybody, ...monitorErrorCodes.map((code) => `service-${code}` as const)],
  grant: [
    ...everybody,
    ...notGrantedCodes.map((code) => `service-${code}` as const),
    ...(['uncertain', 'partly', 'needs-approval'] as const),
  ],
  none: ['ok', 'failed'],
}

const abouts = ['alert', 'grant', 'none'] as const satisfies readonly Handled['about'][]

export function requestSeries(): readonly Omit<Handled, 'ms'>[] {
  return requestKinds.flatMap((kind) =>
    abouts.flatMap((about) =>
      // Of another kind is what cannot be read, or nothing listens to.
      kind === 'other' && about !== 'none'
        ? []
        : outcomes[about].map((outcome) => ({ kind, about, outcome })),
    ),
  )
}
