// Finds out who can be meant: the asker themselves, or the people of the alert's container, read with the asker's token.
import { placeOf } from '../../alert/card-names.ts'
import { cardTheySee } from '../../alert/cards.ts'
import { MonitorError } from '../../errors.ts'
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
  /** Nobody can be listed, so their number is asked for. */
  | { readonly kind: 'ask-number'; readonly containerId: number; readonly why: WhyNoList }

export type WhyNoList = 'no-read' | 'no-members' | 'unknown'

/**
 * @param containerId - Typed or chosen by the asker; undefined to find it.
 * @throws MonitorError as far as it says nothing about this container alone.
 */
export async function findCandidates(
  house: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  wanted: WantedAssign,
  { purpose, containerId }: { readonly purpose: ForWhom; readonly containerId?: number | undefined },
): Promise<Candidates> {
  const asker = { workspaceId, userId }
  const found = containerId ?? (await containerFor(house, asker, token, wanted))
  if (found === undefined) return { kind: 'ask-container' }
  return purpose === 'me'
    ? findSelf(house, asker, token, found)
    : findMembers(house, asker, token, found, containerId !== undefined)
}

/** The alert's container, as far as the asker's token and the link on the card tell. Never throws for the service. */
export async function containerFor(
  house: House,
  asker: SlackUser,
  token: string,
  { ks, cardId }: Pick<WantedAssign, 'ks' | 'cardId'>,
): Promise<number | undefined> {
  const card = await cardTheySee(house, asker, cardId)
  const place = card && placeOf(card)
  const link = place?.container ? place : await house.storage.alertLinks.linkTo(asker, ks)
  return containerOfAlert(house, asker, token, ks, link)
}

async function findSelf(
  house: House,
  asker: SlackUser,
  token: string,
  containerId: number,
): Promise<Candidates> {
  const who = await whoAmI(house, asker, token, containerId)
  switch (who.kind) {
    case 'known':
      return { kind: 'known', userId: who.userId }
    case 'choose':
      return { kind: 'ask-person', containerId, people: who.people }
    case 'unknown':
      return { kind: 'ask-number', containerId, why: 'unknown' }
    default:
      return who satisfies never
  }
}

async function findMembers(
  house: House,
  asker: SlackUser,
  token: string,
  containerId: number,
  isTyped: boolean,
): Promise<Candidates> {
  try {
    const listed = await peopleOf(house, asker, token, containerId)
    if (listed.kind === 'listed') {
      const people = listed.people.filter(({ member }) => member)
      if (people.length > 0) return { kind: 'ask-person', containerId, people }
      return { kind: 'ask-number', containerId, why: 'no-members' }
    }
    if (listed.kind === 'no-container' && isTyped) {
      return { kind: 'ask-container', problem: assignProblems.noContainer(containerId) }
    }
    return { kind: 'ask-number', containerId, why: 'unknown' }
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'forbidden') throw error
    return { kind: 'ask-number', containerId, why: 'no-read' }
  }
}
