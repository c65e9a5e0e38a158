// Operations on the invitations of a container: sending, listing and withdrawing them. Nobody gets mail or accepts.
// Source: the documentation of the service.
import { bodyOf, done, pick, refusals, select } from './answers.ts'
import { invitationFields, invitationSchema, withdrawalSchema } from './contract.ts'
import { type Container, type Invitations, inviteTo } from './people.ts'
import { refuseAbove } from './people-operations.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import type { NewToken, World } from './world.ts'

/** Invites somebody new: whoever the service knows can be added instead. The last one for an address counts. */
export function invite(world: World, asked: Asked, token: NewToken, container: Container): Reply {
  const wish = bodyOf(asked, invitationSchema)
  if (wish === undefined) return refusals.invalid
  if ([...world.people.users.values()].some(({ email }) => email === wish.email))
    return refusals.invalid
  const refusal = refuseAbove(world, token, container, wish.permissions)
  if (refusal !== undefined) return refusal
  hideFromReads(world, container)
  inviteTo(container, wish)
  world.changed()
  return { status: 201, body: {} }
}

/** In no order that is promised; every field unless told. */
export function listInvitations(
  world: World,
  asked: Asked,
  _token: NewToken,
  container: Container,
): Reply {
  const fields = select(asked, 'fields', invitationFields)
  if (fields === 'unknown') return refusals.invalid
  const shown: Invitations = world.laterInvitations.read(container.id) ?? container.invitations
  const listed = [...shown.values()].map((one) => pick(one, fields ?? invitationFields))
  return { status: 200, body: listed.toReversed() }
}

/** Done as well where there was none. */
export function withdraw(
  world: World,
  asked: Asked,
  _token: NewToken,
  container: Container,
): Reply {
  const wish = bodyOf(asked, withdrawalSchema)
  if (wish === undefined) return refusals.invalid
  hideFromReads(world, container)
  container.invitations = new Map(
    [...container.invitations].filter(([email]) => email !== wish.email),
  )
  world.changed()
  return done
}

function hideFromReads({ ways, laterInvitations }: World, { id, invitations }: Container): void {
  if (ways.visible !== 'at-once') laterInvitations.hide(id, invitations, ways.visible)
}
