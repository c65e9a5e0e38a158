// Finds out who can be meant: the asker themselves, or the people of the alert's container, read with the asker's token.
import { cardTheySee, placeOf } from '../../alert/cards.ts'
import type { House } from '../../house.ts'
import type { ContainerPerson } from '../../monitor/client.ts'
import { containerOfAlert } from '../../names/containers.ts'
import { whoAmI } from '../../names/own-id.ts'
import { peopleOf } from '../../names/people.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { KeyedIntent } from '../intent.ts'

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
  const said = card && placeOf(card)
  const inLink = said?.inLink ?? (await house.storage.alertLinks.linkTo(asker, ks))?.container
  return containerOfAlert(house, asker, token, ks, { ...said, inLink })
}
