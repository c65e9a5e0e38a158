// Kinds of trouble in the menu.
import type { TroubleState } from '../../page/state/state.ts'
import type { Channel } from '../../slack/model/model.ts'
import type { Order } from '../../slack/wire/trouble.ts'
import { Impossible } from '../playing/act-schema.ts'
import type { Player } from '../playing/player.ts'

/** How a trouble is switched. Some are one person's own. */
export interface Switch {
  isOn(player: Player): boolean
  /** @param channel - The one that is looked at. @returns What came of it in words, where that is not seen. */
  set(isOn: boolean, player: Player, channel: Channel | undefined): unknown
  /** Of one that is switched in each channel by itself: whether it is on there. */
  isOnIn?(channel: Channel): boolean
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

/** Switched in each channel by itself. @param place - Orders it there. */
export function byChannel(place: (channel: Channel, player: Player) => Order): Switch {
  const orders = new Map<Channel, Order>()
  const isOnIn = (channel: Channel) => orders.get(channel)?.isWaiting === true
  return {
    isOnIn,
    isOn: () => [...orders.keys()].some(isOnIn),
    set(isOn, player, channel) {
      if (channel === undefined || channel.kind === 'im')
        throw new Impossible('Open a channel first.')
      if (isOn) orders.set(channel, place(channel, player))
      else orders.get(channel)?.cancel()
    },
  }
}
