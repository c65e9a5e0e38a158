// Slack's side of watches. Parses, asks, answers; decides nothing.
import type { House } from '../house.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { renderStopped } from './render.ts'
import { listWatches, stopWatching, watchCard } from './watching.ts'

export function watch(house: House, pressed: ActionRequest): Promise<void> {
  return watchCard(house, pressed, pressed.value)
}

export function stop(house: House, pressed: ActionRequest): Promise<void> {
  return stopWatching(house, pressed, pressed.value)
}

/** In the answer that says until when they watch. */
export async function stopAnswered(house: House, pressed: ActionRequest): Promise<void> {
  await stopWatching(house, pressed, pressed.value)
  await house.slack.privately(pressed.place, renderStopped(), { replaces: true })
}

/** In the list of their watches, where that is a message. */
export async function stopListed(house: House, pressed: ActionRequest): Promise<void> {
  await stopWatching(house, pressed, pressed.value)
  const { responseUrl } = pressed.place
  if (responseUrl === undefined) return
  const list = await listWatches(house, pressed.asker)
  await house.slack.respond(responseUrl, list, { to: 'asker', replaces: true })
}
