// Finds out who can be meant: the asker themselves, or the people of the alert's container, read with the asker's token.
import { cardTheySee, placeOf } from '../../alert/cards.ts'
import type { House } from '../../house.ts'
import type { ContainerPerson } from '../../monitor/client.ts'
import { containerOfAlert } from '../../names/containers.ts'
import { whoAmI } from '../../names/own-id.ts'
import { peopleOf } from '../../names/people.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { assignProblems } from './prompts.ts'
import type { ForWhom, WantedAssign } from './wanted.ts'

/** What is known, and what has to be asked for the rest. */
export type Candidates =
  /** Whoever asks is this user of the service. */
  | { readonly kind: 'known'; readonly userId: number }
  /** `problem`: why it is asked again. Raw. */
  | { readonly kind: 'ask-container'; readonly problem?: string }
  | {
      readonly kind: 'ask-person'
      readonly containerId: number
      readonly people: readonly ContainerPerson[]
    }
  /** Nobody can be listed. */
  | { readonly kind: 'unlisted'; readonly containerId: number }

/**
 * @param typedId - Of the container, where the asker has told it; undefined to find it.
 * @throws MonitorError as far as it says nothing about this container alone.
 */
export async function findCandidates(
  house: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  wanted: WantedAssign,
  { purpose, typedId }: { readonly purpose: ForWhom; readonly typedId?: number | undefined },
): Promise<Candidates> {
  const asker = { workspaceId, userId }
  const containerId = typedId ?? (await containerFor(house, asker, token, wanted))
  if (containerId === undefined) return { kind: 'ask-container' }
  if (purpose === 'me') {
    const who = await whoAmI(house, asker, token, containerId)
    if (who.kind === 'known') return who
    return who.kind === 'choose'
      ? { kind: 'ask-person', containerId, people: who.people }
      : { kind: 'unlisted', containerId }
  }
  const listed = await peopleOf(house, asker, token, containerId)
  if (listed.kind === 'no-container' && typedId !== undefined) {
    return { kind: 'ask-container', problem: assignProblems.noContainer(containerId) }
  }
  const people = listed.kind === 'listed' ? listed.people.filter(({ member }) => member) : []
  return people.length > 0 ? { kind: 'ask-person', containerId, people } : { kind: 'unlisted', containerId }
}

/** The alert's container, as far as the asker's token and the card tell. Never throws for the service. */
export async function containerFor(
  house: House,
  asker: SlackUser,
  token: string,
  { ks, cardId }: Pick<WantedAssign, 'ks' | 'cardId'>,
): Promise<number | undefined> {
  const card = await cardTheySee(house, asker, cardId)
  const said = card && placeOf(card)
  const inLink = said?.inLink ?? (await house.storage.alertLinks.linkTo(asker, ks))?.container
  return containerOfAlert(house, asker, token, ks, { ...said, inLink })
}
