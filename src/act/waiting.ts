// Acts that wait until somebody has connected an account. Sealed by Bellhop alone, so what comes back is believed.
import { z } from 'zod'
import type { WaitedFor } from '../account/connect-first.ts'
import type { ActAsk, AssignAsk } from '../alert/input.ts'
import type { CardPress } from '../alert/render/card-buttons.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { WantedAssign } from './assign/wanted.ts'

export type WaitingAct =
  /** As it was typed: its alert isn't found yet, or it isn't known to whom. `id`: of the intent. */
  | { readonly kind: 'line'; readonly id: string; readonly ask: ActAsk | AssignAsk }
  /** *Assign to me*. */
  | { readonly kind: 'me'; readonly wanted: WantedAssign }
  /** *Assign to somebody*. */
  | { readonly kind: 'form'; readonly press: CardPress }
  /** All is known. */
  | ({ readonly kind: 'act' } & WaitingWrite)

interface WaitingWrite {
  readonly id: string
  readonly write: AlertWrite
  readonly isOnCard?: boolean | undefined
}

export const waitingAct = z.custom<WaitingAct>()

export function waitsFor(ask: WaitingAct): WaitedFor {
  return { feature: 'act', ask }
}
