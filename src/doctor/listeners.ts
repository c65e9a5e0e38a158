// Slack's side of doctor. Parses, asks, answers; decides nothing.
import type { App } from '@slack/bolt'
import type { Guard } from '../slack/guard.ts'
import type { Delivery } from '../slack/place.ts'
import type { Doctor } from './doctor.ts'
import { wayBackAction } from './render.ts'

export function registerDoctor(
  app: App,
  guard: Guard,
  { doctor, delivery }: { readonly doctor: Doctor; readonly delivery: Pick<Delivery, 'privately'> },
): void {
  app.action(
    wayBackAction,
    guard.action('alert', async (pressed) => {
      await delivery.privately(pressed.place, await doctor.examineAgain(pressed), { replaces: true })
    }),
  )
}
