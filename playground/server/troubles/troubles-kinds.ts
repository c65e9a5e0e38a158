// Kinds of trouble in the menu.
import type { TroubleState } from '../../page/state/state.ts'
import type { Order } from '../../slack/wire/trouble.ts'
import type { Player } from '../playing/player.ts'

/** How a trouble is switched. Some are one person's own. */
export interface Switch {
  isOn(player: Player): boolean
  set(isOn: boolean, player: Player): void | Promise<void>
}

/** An entry of the menu. */
export interface Trouble extends Switch, Pick<TroubleState, 'id' | 'group' | 'lasts'> {
  label(player: Player): string
  hint(player: Player): string
}

/** On while anything that was ordered is still to happen. @param place - Orders it. */
export function byOrders(place: () => readonly Order[]): Switch {
  let orders: readonly Order[] = []
  return {
    isOn: () => orders.some(({ isWaiting }) => isWaiting),
    set(isOn) {
      for (const order of orders) order.cancel()
      orders = isOn ? place() : []
    },
  }
}

/** @param apply - Called with what it is switched to. */
export function byState(apply: (isOn: boolean) => void | Promise<void>): Switch {
  let isOnNow = false
  return {
    isOn: () => isOnNow,
    async set(isOn) {
      await apply(isOn)
      isOnNow = isOn
    },
  }
}
