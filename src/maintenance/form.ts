// Opens the form of *Maintenance…* on a card, and begins maintenance once it is submitted. A note opens at once, and becomes
// the form once monitoring has answered.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isKnownToLack } from '../account/rights.ts'
import { askButtons } from '../act/rights.ts'
import { cardFor } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import {
  type ActionRequest,
  otherVersion,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, placeFrom } from '../slack/outbound/delivery.ts'
import { say, type View } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { readTarget } from './asking.ts'
import { nameIn } from './names.ts'
import {
  lacksFlag,
  lengthInput,
  maintenanceModal,
  maintenanceNote,
  modeFlag,
  unreadWords,
  whatInput,
} from './render.ts'
import { setMode } from './sending.ts'

const stateSchema = z.object({
  id: z.string(),
  cardId: z.string(),
  asset: z.int(),
  container: z.int(),
  place: keptPlaceSchema,
})

/** @throws UserError if the card is forgotten, or nobody knows its machine. */
export async function openMaintenanceForm(
  house: House,
  { asker, place, triggerId }: ActionRequest,
  cardId: string,
): Promise<void> {
  const { slack, tokens } = house
  const card = await cardFor(house, asker, cardId)
  if (card.place === undefined)
    throw new UserError(
      'I don’t know which machine this alert is on. Type /alert maintenance instead.',
    )

  const token = await tokens.find(asker)
  if (token === undefined) throw new UserError('Connect your account with /alert connect first.')

  const { asset, container = 0 } = card.place
  const viewId = await slack.openView(triggerId, maintenanceNote(say('Asking monitoring …')))

  const kept = { id: randomUUID(), cardId, place: keptPlace(place) }
  const view = await viewNow(house, { owner: asker, token }, { container, asset }, kept)
  await slack.updateView(viewId, view)
}

/** The form, or a note if maintenance can’t begin. @param asked - Its container may be unknown (0), or out of date. */
async function viewNow(
  house: House,
  reader: Account,
  asked: Required<ModeTarget>,
  kept: Pick<z.input<typeof stateSchema>, 'id' | 'cardId' | 'place'>,
): Promise<View> {
  const asker = reader.owner
  const found = await readTarget(house, reader, asked)
  if (typeof found === 'string')
    return maintenanceNote(say(unreadWords(found, nameIn(house, asker, asked))))

  const { target, name, whyNot } = found
  if (whyNot) return maintenanceNote(whyNot)

  const { container } = target
  const where = nameIn(house, asker, { container })
  if (await isKnownToLack(house, asker, container, modeFlag)) {
    const buttons = await askButtons(house, asker, { kind: 'set-mode', cardId: kept.cardId })
    return maintenanceNote(say(`You can’t do that: ${lacksFlag(where)}`, { buttons }))
  }

  const machines = (await house.assets.listed(reader, container))?.size
  return maintenanceModal(JSON.stringify({ ...kept, ...target }), name, where, machines)
}

export async function answerMaintenanceForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata } = submission
  const { id, cardId, asset, container, place } = readPrivateMetadata(stateSchema, privateMetadata)
  const forMs = Number(filled.choice(lengthInput))
  const isWhole = filled.choice(whatInput) === 'container'
  if (!(forMs > 0)) throw new UserError(otherVersion)

  const from = submission.moveTo(placeFrom(place, asker))

  await submission.ackOnceKept(async () => {
    const target = { container, asset: isWhole ? undefined : asset }
    await setMode(house, from, { id, ...target, endsAt: house.now() + forMs, cardId }, false)
  })
}
