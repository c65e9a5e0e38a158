// The id of a card, as its buttons carry it.
import type { SeenMessage } from '../../playground/slack/person/seen.ts'

/** @param card - Open, or closed. */
export function cardIdOf(card: SeenMessage): string {
  const control = card.control('Watch') ?? card.control('Refresh')
  return String(control?.element.value)
}
