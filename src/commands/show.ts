// Shows an alert, and keeps its card live where that was asked for.
import type { Lookup } from '../alert/input.ts'
import { lookUp, orAskAgain } from '../alert/look-up.ts'
import type { House } from '../house.ts'
import { lookUpWatched } from '../live/watching.ts'
import type { From } from '../slack/guard/requests.ts'

export function showAlert(house: House, from: From, lookup: Lookup): Promise<void> {
  if (!lookup.isWatched) return lookUp(house, from, lookup)
  return orAskAgain(house, from, lookup, () => lookUpWatched(house, from, lookup))
}
