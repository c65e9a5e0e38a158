// Operations on invitations: inviting somebody whom the service does not know, listing who is invited, withdrawing.
// Source: the documentation of the service.
import { bodyOf, done, pick, refusals, select } from './answers.ts'
import { inviteFields, inviteSchema, withdrawalSchema } from './contract.ts'
import type { Container } from './people.ts'
import { ceiling } from './people-operations.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { hasFlags, type NewToken, type World } from './world.ts'

export function invite(world: World, asked: Asked, token: NewToken, containerId: number): Reply {
  if (asked.method !== world.ways.inviteBy) return refusals.wrongMethod
  const container = open(world, token, containerId)
  if ('status' in container) return container
  const wish = bodyOf(asked, inviteSchema)
  if (wish === undefined) return refusals.invalid
  const { email, member, permissions, sendInvitationEmail } = wish
  const isKnown = [...world.people.users.values()].some((user) => user.email === email)
  const former = container.invites.get(email)
  if (isKnown || (former !== undefined && world.ways.inviteTwice === 'refused')) return refusals.invalid
  const barred = ceiling(world, token, containerId, permissions)
  if (barred !== undefined) return barred
  const mails = (former?.mails ?? 0) + (sendInvitationEmail ? 1 : 0)
  container.invites.set(email, { email, member, permissions, mails })
  world.changed()
  return { status: 201, body: undefined }
}

/** In no order that is promised; every field unless told. */
export function listInvites(world: World, asked: Asked, token: NewToken, containerId: number): Reply {
  const container = open(world, token, containerId)
  if ('status' in container) return container
  const fields = select(asked, 'fields', inviteFields)
  if (fields === 'unknown') return refusals.invalid
  const invites = [...container.invites.values()].map((one) => pick(one, fields ?? inviteFields))
  return { status: 200, body: invites.toReversed() }
}

/** 204 also when there was none. */
export function withdraw(world: World, asked: Asked, token: NewToken, containerId: number): Reply {
  const container = open(world, token, containerId)
  if ('status' in container) return container
  const wish = bodyOf(asked, withdrawalSchema)
  if (wish === undefined) return refusals.invalid
  if (container.invites.delete(wish.email)) world.changed()
  return done
}

function open({ people }: World, token: NewToken, containerId: number): Reply | Container {
  const container = people.containers.get(containerId)
  if (container === undefined) return refusals.notFound
  return hasFlags(token, containerId, ['API', 'CONTAINER_ACCESS']) ? container : refusals.forbidden
}
