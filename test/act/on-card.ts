// Tools for tests of acts on cards: acts that are typed count as pressed on the last card that was posted.
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import type { WorldOptions } from '../world.ts'

export const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, containerId: 12 } as const

/** @param change - Of the storage, for what goes wrong there. */
export function pressedOnLastCard(
  change: (storage: Storage) => Storage = (storage) => storage,
): WorldOptions {
  let cardId: string | undefined
  return {
    open: async (options) => {
      const storage = change(await openStorage(options))
      const { cards, wishes } = storage
      return {
        ...storage,
        cards: {
          ...cards,
          keep: (card) => {
            cardId = card.id
            return cards.keep(card)
          },
        },
        wishes: {
          ...wishes,
          keep: (wish) =>
            wishes.keep({
              ...wish,
              writes: wish.writes.map((write) => (write.kind === 'add-user' ? write : { ...write, cardId })),
            }),
        },
      }
    },
  }
}
