// Drawings of cards, told one from the next, for whoever read an alert before they had its card’s turn.

export interface Drawings {
  /** Another number once it was drawn again. */
  of(cardId: string): number
  note(cardId: string): void
}

const mostCards = 10_000

export function createDrawings(): Drawings {
  const last = new Map<string, number>()
  let count = 0
  /** Of those that were forgotten. */
  let forgotten = 0
  return {
    of: (cardId) => last.get(cardId) ?? forgotten,
    note(cardId) {
      count += 1
      if (last.size >= mostCards) {
        last.clear()
        forgotten = count
      }
      last.set(cardId, count)
    },
  }
}
