// People whom an assignment is about, read with the asker's own token, for them alone: who can be meant, the asker
// themselves or the people of the alert's container; and whom the alert has, for the verdict.
import { cardTheySee } from '../../alert/cards.ts'
import type { House } from '../../house.ts'
import type { Alert, ContainerPerson } from '../../monitor/client.ts'
import { containerOfAlert, personShown } from '../../names/containers.ts'
import { peopleOf, personNamed } from '../../names/names.ts'
import { ownIdOf, whoAmI } from '../../names/own-id.ts'
import type { AlertWrite, SendOutcome } from '../../send/outcome.ts'
import type { SlackUser } from '../../slack/person.ts'
import { inTime } from '../../work/under-way.ts'
import type { KeyedIntent } from '../intent.ts'
import type { AssignFacts } from '../render/verdict.ts'

/** What is known, and what has to be asked for the rest. */
export type Candidates =
  /** Whoever asks is this user of the service. */
  | { readonly kind: 'known'; readonly userId: number }
  /** `problem`: why it is asked again. Raw. */
  | { readonly kind: 'ask-container'; readonly problem?: string }
  /** `people`: none where nobody can be listed. */
  | {
      readonly kind: 'ask-person'
      readonly containerId: number
      readonly people: readonly ContainerPerson[]
    }

/**
 * @param typedId - Of the container, where the asker has told it; undefined to find it.
 * @throws MonitorError as far as it says nothing about this container alone.
 */
export async function findCandidates(
  house: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  { to, cardId, which: { ks } }: KeyedIntent,
  typedId?: number,
): Promise<Candidates> {
  const asker = { workspaceId, userId }
  const containerId = typedId ?? (await containerFor(house, asker, token, ks, cardId))
  if (containerId === undefined) return { kind: 'ask-container' }
  if (to === 'me') {
    const who = await whoAmI(house, asker, token, containerId)
    return who.kind === 'known' ? who : { kind: 'ask-person', containerId, people: who.people }
  }
  const listed = await peopleOf(house, asker, token, containerId)
  if (listed.kind === 'no-container' && typedId !== undefined) {
    return { kind: 'ask-container', problem: `Monitoring shows you no container ${containerId}.` }
  }
  const people = listed.kind === 'listed' ? listed.people.filter(({ member }) => member) : []
  return { kind: 'ask-person', containerId, people }
}

/** The alert's container, as far as the asker's token and the card tell. Never throws for the service. */
export async function containerFor(
  house: House,
  asker: SlackUser,
  token: string,
  ks: string,
  cardId: string | undefined,
): Promise<number | undefined> {
  const card = await cardTheySee(house, asker, cardId)
  const link = card?.link ?? (await house.storage.alertLinks.linkTo(asker, ks))
  return containerOfAlert(house, asker, token, ks, { names: card?.names, link })
}

/** A verdict does not wait longer for a name. */
const nameMs = 2_000

/**
 * Undefined for what is about no owner. Never rejects for what the service does.
 * @param token - Undefined where nobody waits: what is known will do.
 * @param alert - As the sender's token showed it last.
 */
export async function assignFacts(
  house: House,
  { workspaceId, userId }: SlackUser,
  token: string | undefined,
  write: AlertWrite,
  outcome: SendOutcome,
  alert: Alert | undefined,
): Promise<AssignFacts | undefined> {
  const isHeldBack = outcome.kind === 'not-done' && outcome.code === 'changed'
  if (write.kind === 'comment' || (write.kind === 'close' && !isHeldBack)) return undefined
  const asker = { workspaceId, userId }
  const own = await ownIdOf(house, asker)
  const wantedId = write.kind === 'assign' ? write.ownerId : undefined
  const about = isHeldBack ? alert?.ownerId : wantedId
  const isOwn = about != null && about === own
  const naming = about == null || isOwn ? undefined : ownerNamed(house, asker, token, write, about)
  const name = naming && (await inTime(naming, nameMs))
  return { isForSelf: own !== undefined && own === wantedId, isOwn, name }
}

async function ownerNamed(
  house: House,
  asker: SlackUser,
  token: string | undefined,
  { ks, cardId }: AlertWrite,
  id: number,
): Promise<string | undefined> {
  const shown = () => personShown(house, asker, id)
  try {
    if (shown() === undefined && token !== undefined) {
      const containerId = await containerFor(house, asker, token, ks, cardId)
      if (containerId !== undefined) await peopleOf(house, asker, token, containerId)
    }
  } catch (error) {
    house.log.debug({ err: error }, 'nobody could tell the name of an owner')
  }
  const owner = shown()
  return owner && personName(owner)
}

/** Short and on one line, without signs that nobody sees; never empty. Raw. */
export function personName({ id, name }: Pick<ContainerPerson, 'id' | 'name'>): string {
  return personNamed({ people: { [id]: name } }, id) ?? `user ${id}`
}
