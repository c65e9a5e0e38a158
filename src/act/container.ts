// The container of an alert that somebody acts on, and who is there, as their own token shows it.
import { cardTheySee } from '../alert/cards.ts'
import { orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerOfAlert } from '../names/containers.ts'
import { peopleOf } from '../names/names.ts'
import type { AlertWrite } from '../send/outcome.ts'
import type { Account } from '../slack/person.ts'

type OnAlert = Pick<AlertWrite, 'ks' | 'cardId'>

/** Undefined where neither the token nor the card shows it. Never throws for the service. */
export async function containerByCard(house: House, reader: Account, { ks, cardId }: OnAlert) {
  const { owner } = reader
  const card = await cardTheySee(house, owner, cardId)
  const place = card?.place ?? (await house.storage.places.find(owner.workspaceId, ks))
  return containerOfAlert(house, reader, ks, { names: card?.names, place })
}

/** Nobody where the container is unknown, or its people can’t be read. Never throws for the service. */
export async function peopleByCard(house: House, reader: Account, alert: OnAlert) {
  const containerId = await containerByCard(house, reader, alert)
  const listed = containerId && (await orMonitorError(peopleOf(house, reader, containerId)))
  const people = listed && 'people' in listed ? listed.people : []
  return { containerId, people }
}
