// The operations of the stand-in service, by path and method, from a request to a reply. No sockets here.
import { assign, close, comment, readAlert } from './alert-operations.ts'
import { refusals } from './answers.ts'
import { listAssetAlerts, listAssets, readAsset } from './asset-operations.ts'
import { listContainerAlerts, readContainer, readOwnContainer } from './container-operations.ts'
import { invite, listInvitations, withdraw } from './invitation-operations.ts'
import { setAssetMode, setContainerMode } from './mode-operations.ts'
import type { Container } from './people.ts'
import {
  addPerson,
  changePerson,
  listPeople,
  ownPermissions,
  removePerson,
} from './people-operations.ts'
import type { Method } from './trouble.ts'
import type { Ways } from './ways.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { hasFlags, type NewToken, settle, type World } from './world.ts'

interface Operation {
  readonly path: RegExp
  readonly method: Method | ((ways: Ways) => Method)
  /** @param named - What the path names, as it came. */
  answer(world: World, asked: Asked, token: NewToken, ...named: readonly string[]): Reply
}

const operations: readonly Operation[] = [
  { path: /^\/alert\/([^/]*)$/, method: 'GET', answer: readAlert },
  { path: /^\/alert\/([^/]*)\/assign$/, method: 'PUT', answer: assign },
  { path: /^\/alert\/([^/]*)\/message$/, method: 'PUT', answer: comment },
  { path: /^\/alert\/([^/]*)\/close$/, method: 'PUT', answer: close },
  { path: /^\/asset\/([^/]*)$/, method: 'GET', answer: readAsset },
  { path: /^\/asset\/([^/]*)\/alerts$/, method: 'GET', answer: listAssetAlerts },
  { path: /^\/asset\/([^/]*)\/mode$/, method: 'PATCH', answer: setAssetMode },
  { path: /^\/container\/(-?\d+)\/user$/, method: 'POST', answer: managing(addPerson) },
  { path: /^\/container\/(-?\d+)\/user\/(-?\d+)$/, method: 'PUT', answer: managing(changePerson) },
  {
    path: /^\/container\/(-?\d+)\/user\/(-?\d+)$/,
    method: 'DELETE',
    answer: managing(removePerson),
  },
  {
    path: /^\/container\/(-?\d+)\/invite$/,
    method: ({ inviteMethod }) => inviteMethod,
    answer: managing(invite),
  },
  { path: /^\/container\/(-?\d+)\/invite$/, method: 'DELETE', answer: managing(withdraw) },
  { path: /^\/container\/(-?\d+)\/invites$/, method: 'GET', answer: managing(listInvitations) },
  { path: /^\/container\/(-?\d+)\/users$/, method: 'GET', answer: byNumber(listPeople) },
  { path: /^\/container\/(-?\d+)\/permissions$/, method: 'GET', answer: byNumber(ownPermissions) },
  { path: /^\/container\/(-?\d+)\/alerts$/, method: 'GET', answer: byNumber(listContainerAlerts) },
  { path: /^\/container\/(-?\d+)\/assets$/, method: 'GET', answer: byNumber(listAssets) },
  { path: /^\/container\/(-?\d+)$/, method: 'GET', answer: byNumber(readContainer) },
  { path: /^\/container\/(-?\d+)\/mode$/, method: 'PATCH', answer: byNumber(setContainerMode) },
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

/** For those alone who may manage the people of the container. */
function managing(
  operation: (
    world: World,
    asked: Asked,
    token: NewToken,
    container: Container,
    userId: number,
  ) => Reply,
): Operation['answer'] {
  return (world, asked, token, id, userId) => {
    const container = world.people.containers.get(Number(id))
    if (container === undefined) return refusals.notFound
    if (!hasFlags(world, token, container.id, ['API', 'CONTAINER_ACCESS']))
      return refusals.forbidden
    return operation(world, asked, token, container, Number(userId))
  }
}

export function reply(world: World, asked: Asked): Reply {
  const token = asked.token === undefined ? undefined : world.tokens.get(asked.token)
  if (token === undefined) return refusals.noToken
  settle(world)
  const there = operations.filter(({ path }) => path.test(asked.path))
  const operation = there.find(
    ({ method }) => (typeof method === 'function' ? method(world.ways) : method) === asked.method,
  )
  if (operation === undefined) return there.length > 0 ? refusals.wrongMethod : refusals.notFound
  const [, ...named] = operation.path.exec(asked.path) ?? []
  return operation.answer(world, asked, token, ...named)
}
