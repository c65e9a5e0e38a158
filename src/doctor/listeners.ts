// Slack's side of doctor. Parses, asks, answers; decides nothing.
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Doctor } from './doctor.ts'
import { doctorActions } from './render.ts'

export function registerDoctor(
  listeners: Listeners,
  guard: Guard,
  { doctor, delivery }: { readonly doctor: Doctor; readonly delivery: Pick<Delivery, 'privately'> },
): void {
  listeners.action(
    doctorActions.test,
    guard.action('doctor', async (pressed) => {
      await delivery.privately(pressed.place, await doctor.examineAgain(pressed), { replaces: true })
    }),
  )
  for (const what of ['details', 'ticket'] as const) {
    listeners.action(
      doctorActions[what],
      guard.action('doctor', (pressed) => doctor.show(what, pressed)),
    )
  }
}
