// The operations of the stand-in service, by path and method, from a request to a reply. No sockets here.
import { assign, close, comment, readAlert } from './alert-operations.ts'
import { refusals } from './answers.ts'
import {
  listAssetAlerts,
  listContainerAlerts,
  readContainer,
  readOwnContainer,
} from './container-operations.ts'
import { addPerson, changePerson, listPeople, ownPermissions } from './people-operations.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { type NewToken, settle, type World } from './world.ts'

interface Operation {
  readonly path: RegExp
  readonly method: 'GET' | 'POST' | 'PUT'
  /** @param named - What the path names, as it came. */
  answer(world: World, asked: Asked, token: NewToken, ...named: readonly string[]): Reply
}

const operations: readonly Operation[] = [
  { path: /^\/alert\/([^/]*)$/, method: 'GET', answer: readAlert },
  { path: /^\/alert\/([^/]*)\/assign$/, method: 'PUT', answer: assign },
  { path: /^\/alert\/([^/]*)\/message$/, method: 'PUT', answer: comment },
  { path: /^\/alert\/([^/]*)\/close$/, method: 'PUT', answer: close },
  { path: /^\/asset\/([^/]*)\/alerts$/, method: 'GET', answer: listAssetAlerts },
  { path: /^\/container\/(-?\d+)\/user$/, method: 'POST', answer: byNumber(addPerson) },
  {
    path: /^\/container\/(-?\d+)\/user\/(-?\d+)$/,
    method: 'PUT',
    answer: (world, asked, token, id, userId) =>
      changePerson(world, asked, token, Number(id), Number(userId)),
  },
  { path: /^\/container\/(-?\d+)\/users$/, method: 'GET', answer: byNumber(listPeople) },
  { path: /^\/container\/(-?\d+)\/permissions$/, method: 'GET', answer: byNumber(ownPermissions) },
  { path: /^\/container\/(-?\d+)\/alerts$/, method: 'GET', answer: byNumber(listContainerAlerts) },
  { path: /^\/container\/(-?\d+)$/, method: 'GET', answer: byNumber(readContainer) },
  {
    path: /^\/container\/id$/,
    method: 'GET',
    answer: (world, _asked, token) => readOwnContainer(world, token),
  },
]

function byNumber(
  operation: (world: World, asked: Asked, token: NewToken, id: number) => Reply,
): Operation['answer'] {
  return (world, asked, token, id) => operation(world, asked, token, Number(id))
}

export function reply(world: World, asked: Asked): Reply {
  const token = asked.token === undefined ? undefined : world.tokens.get(asked.token)
  if (token === undefined) return refusals.noToken
  settle(world)
  const there = operations.filter(({ path }) => path.test(asked.path))
  const operation = there.find(({ method }) => method === asked.method)
  if (operation === undefined) return there.length > 0 ? refusals.wrongMethod : refusals.notFound
  const [, ...named] = operation.path.exec(asked.path) ?? []
  return operation.answer(world, asked, token, ...named)
}
