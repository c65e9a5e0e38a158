// The contract of requests in a database: of all who try a step at once, one makes it, and what is due is handed to one.
// What each step does is told by test/send/request.test.ts.
import { describe, expect, it } from 'vitest'
import {
  beginSendStep,
  beginStep,
  createRequest,
  heardStep,
  holdStep,
  takeStep,
} from '../../src/send/request.ts'
import { leaseMs } from '../../src/work/under-way.ts'
import type { OpenPair } from './pair.ts'

const sender = { workspaceId: 'T1', userId: 'U1' }
const key = { workspaceId: 'T1', id: 'r1' }
const writes = ['dave', 'erin'].map((name) => ({
  ...({ kind: 'add-user', containerId: 12, email: `${name}@example.com` } as const),
  authProvider: undefined,
  member: false,
  permissions: ['READ'],
}))
const begins = { sender, passes: () => true }

export function requestsContract(open: OpenPair): void {
  describe('requests', () => {
    it('are kept once under their id, and begun once, by whichever process is first', async () => {
      const { storage, other } = await open()
      const insert = ({ requests }: typeof storage) =>
        requests.insert((now) => createRequest({ id: 'r1', sender, writes }, now))
      const kept = await Promise.all([insert(storage), insert(other)])
      expect(kept.toSorted()).toEqual([false, true])

      const all = [storage, other, storage, other]
      const begun = await Promise.all(
        all.map(({ requests }) => requests.change(key, beginStep(begins))),
      )

      const [first, ...more] = begun.filter((one) => one !== undefined)
      expect(more).toEqual([])
      if (first === undefined) throw new Error('nobody began it')
      const sent = await Promise.all(
        all.map(({ requests }) => requests.change(first, beginSendStep(first, 1))),
      )
      expect(sent.filter((one) => one !== undefined)).toHaveLength(1)
    })

    it('are due once nobody holds them, are handed to one, and never again once all is told', async () => {
      const { storage, other, clock } = await open()
      await storage.requests.insert((now) => createRequest({ id: 'r1', sender, writes }, now))
      expect(await other.requests.takeDue(takeStep, 50)).toEqual([])
      const begun = await storage.requests.change(key, beginStep(begins))
      if (begun === undefined) throw new Error('it does not begin')
      await storage.requests.change(begun, holdStep(leaseMs + 2_000))
      clock.now += leaseMs
      expect(await other.requests.takeDue(takeStep, 50)).toEqual([])
      clock.now += 2_000

      const taken = await Promise.all([
        storage.requests.takeDue(takeStep, 50),
        other.requests.takeDue(takeStep, 50),
      ])

      const [ended, ...more] = taken.flat()
      expect(more).toEqual([])
      expect(ended).toMatchObject({ id: 'r1', state: 'sent', isToTell: true })
      if (ended === undefined) throw new Error('nobody took it')
      await storage.requests.change(key, heardStep(ended))
      clock.now += 10 * leaseMs
      expect(await other.requests.takeDue(takeStep, 50)).toEqual([])
    })
  })
}
