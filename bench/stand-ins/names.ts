// Names of people and things in the bench's workspace and at its service.
import { randomBytes } from 'node:crypto'

export const teamId = 'T0BENCH01'
export const channelId = 'C0BENCH01'
export const botUserId = 'U0BENCHBOT'
export const botToken = 'xoxb-bench-0001'
export const signingSecret = randomBytes(16).toString('hex')

export interface BenchPerson {
  readonly userId: string
  readonly name: string
  /** Of the service. */
  readonly token: string
}

/** A team that asks again and again: each has their own cards and containers before long. All have connected. */
export const people: readonly BenchPerson[] = Array.from({ length: 20 }, (_, index) => {
  const number = String(index + 1).padStart(3, '0')
  return { userId: `U0BENCH${number}`, name: `person${number}`, token: `bench-token-${number}` }
})

export function personAt(index: number): BenchPerson {
  const person = people[index % people.length]
  if (person === undefined) throw new TypeError('there is nobody')
  return person
}

/** What keys of alerts look like, wherever they are found. */
export const keyPattern = /bench-\d+/

let keys = 0

/** None is asked twice. */
export function nextKey(): string {
  keys += 1
  return `bench-${keys}`
}
