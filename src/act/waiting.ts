// Acts that wait until somebody has connected an account. Sealed by Bellhop alone, so what comes back is believed.
import { z } from 'zod'
import type { WaitedFor } from '../account/connect-first.ts'
import type { ActAsk, AssignAsk } from '../alert/input.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { WantedAssign } from './assign/wanted.ts'

export type WaitingAct =
  /** As it was typed: its alert isn't found yet, or it isn't known to whom. `id`: of the intent. */
  | { readonly kind: 'line'; readonly id: string; readonly ask: ActAsk | AssignAsk }
  /** *Assign to me*. */
  | { readonly kind: 'me'; readonly wanted: WantedAssign }
  /** *Assign to somebody*. */
  | { readonly kind: 'form' }
  /** All is known. */
  | ({ readonly kind: 'act' } & WaitingWrite)

/** One intent of somebody. */
export interface WaitingWrite {
  /** The same for the same intent, however often Slack delivers it. */
  readonly id: string
  readonly write: AlertWrite
  /** It was pressed on the card itself, so that what leads back to the press leads to the card. */
  readonly isOnCard?: boolean | undefined
}

export const waitingAct = z.custom<WaitingAct>()

export function waitsFor(ask: WaitingAct): WaitedFor {
  return { feature: 'act', ask }
}
