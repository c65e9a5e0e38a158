// The contract of what somebody did of late.
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/alert/cards.ts'
import type { Settled } from '../../src/send/outcome.ts'
import {
  asked,
  beginOne,
  begin as beginStep,
  type NewRequest,
  type Step,
  settle as settleStep,
} from '../../src/send/request.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }

function card(id: string, changes: Partial<Card> = {}): Card {
  const asker = changes.asker ?? alice
  return {
    id,
    workspaceId: asker.workspaceId,
    ks: id,
    title: `About ${id}`,
    asker,
    askerName: 'alice',
    channelId: 'C1',
    isPrivate: false,
    at: 0,
    told: [],
    posted: { channelId: 'C1', ts: '1.2', threadTs: undefined },
    ...changes,
  }
}

const look = ({ cards }: Storage, one: Card) => cards.insert((at) => ({ ...one, at }))

/** @param changes.people - Default: somebody of this name. */
function grant(
  id: string,
  { people = [id], ...changes }: Partial<NewRequest> & { readonly people?: readonly string[] } = {},
): NewRequest {
  const rest = { containerId: 12, authProvider: undefined, member: false, permissions: ['READ'] }
  const writes = people.map((name) => ({
    ...({ kind: 'add-user', email: `${name}@example.com`, ...rest } as const),
  }))
  return { id, sender: alice, writes, channelId: 'C1', ...changes }
}

async function keep({ requests }: Storage, wanted: NewRequest): Promise<void> {
  await requests.insert((now) => asked(wanted, now))
}

async function change({ requests }: Storage, { id, sender }: Pick<NewRequest, 'id' | 'sender'>, step: Step) {
  const changed = await requests.change({ workspaceId: sender.workspaceId, id }, step)
  if (changed === undefined) throw new Error(`${id} is not changed`)
}

async function begin(storage: Storage, wanted: NewRequest): Promise<void> {
  await keep(storage, wanted)
  await change(storage, wanted, beginStep({ sender: wanted.sender, passes: () => true }))
}

function sendTo(storage: Storage, n: number, wanted: NewRequest): Promise<void> {
  return change(storage, wanted, (request, now) => beginOne(request, n)(request, now))
}

/** For one person. */
async function send(storage: Storage, wanted: NewRequest): Promise<void> {
  await begin(storage, wanted)
  await sendTo(storage, 1, wanted)
}

async function settle(storage: Storage, id: string, outcome: Settled, n = 1): Promise<void> {
  await change(storage, { id, sender: alice }, (request, now) =>
    settleStep(request, n, outcome)(request, now),
  )
}

export function recentContract(open: OpenPair): void {
  describe('what somebody did of late', () => {
    it('is their own, newest first, and no more than was asked for', async () => {
      const { storage, other, clock } = await open()
      await look(storage, card('old'))
      clock.now += 1
      await send(storage, grant('g1'))
      await settle(storage, 'g1', { kind: 'done' })
      clock.now += 1
      await send(storage, grant('g2'))
      clock.now += 1
      await look(storage, card('new', { posted: undefined }))
      await look(storage, card('bobs', { asker: bob }))
      await look(storage, card('far', { asker: aliceElsewhere }))
      await send(storage, grant('bobs', { sender: bob }))

      const keysOf = async (most: number) => (await other.recent.lookUpsOf(alice, most)).map(({ ks }) => ks)
      expect(await keysOf(10)).toEqual(['new', 'old'])
      expect(await keysOf(1)).toEqual(['new'])
    })
  })
}
