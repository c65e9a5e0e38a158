// Mints what must be unique: ids that look like Slack's, message times, secrets.
import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export class Stamps {
  readonly #clock: () => number
  #last = 0
  #step = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Such as `C07QK3ZD1TA`. */
  id(letter: string): string {
    const random = [...randomBytes(8)].map((byte) => ALPHABET[byte % ALPHABET.length])
    return `${letter}0${random.join('')}A`
  }

  secret(): string {
    return randomBytes(16).toString('hex')
  }

  /** Such as `1700000000.000100`: unique and increasing, even when the clock is turned back. */
  ts(): string {
    const now = Math.floor(this.#clock() / 1000)
    if (now > this.#last) {
      this.#last = now
      this.#step = 0
    }
    this.#step += 1
    return `${this.#last}.${String(this.#step * 100).padStart(6, '0')}`
  }
}
