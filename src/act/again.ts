// Ways on from a verdict that send: each looks up what was wanted by its id, and of each verdict one follows.
import { randomUUID } from 'node:crypto'
import type { AlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { toldOrGone } from './record.ts'
import { readAnyway } from './render/ways-on.ts'
import type { ActRoom } from './room.ts'
import { actOn } from './sending.ts'

/** *Comment with this text*: what was written for an alert that is closed by now. @throws UserError */
export async function commentInstead(room: ActRoom, from: From, id: string): Promise<void> {
  const { write } = await toldOrGone(room, from, id)
  const { ks, message, senderId, cardId } = write
  // They know that it is closed, and nothing else about it matters to a comment.
  const shown = { ownerId: null, isClosed: true }
  const comment: AlertWrite = { kind: 'comment', ks, message, shown, senderId, cardId }
  await actOn(room, from, { id: randomUUID(), write: comment, follows: id })
}

/** *Close anyway*: though somebody else owns it by now, whom the presser was told of. @throws UserError */
export async function closeAnyway(room: ActRoom, from: From, value: string): Promise<void> {
  const read = readAnyway(value)
  if (read === undefined) return
  const { write } = await toldOrGone(room, from, read.id)
  if (write.kind !== 'close') return
  const shown = { ownerId: read.ownerId, isClosed: false }
  await actOn(room, from, { id: randomUUID(), write: { ...write, shown }, follows: read.id })
}

/** *Take it over*: from whoever the presser was told has it by now. @throws UserError */
export async function assignAnyway(room: ActRoom, from: From, value: string): Promise<void> {
  const read = readAnyway(value)
  if (read === undefined) return
  const { write } = await toldOrGone(room, from, read.id)
  if (write.kind !== 'assign') return
  const shown = { ownerId: read.ownerId, isClosed: false }
  await actOn(room, from, { id: randomUUID(), write: { ...write, shown }, follows: read.id })
}
