// Opens the form of *Maintenance…* on a card, and answers it: the form is the question. It opens at once, and is filled in
// once monitoring has answered.
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
import { nameIn, nameLearned, quietAmong } from './names.ts'
import {
  lacksFlag,
  lengthInput,
  maintenanceModal,
  maintenanceNote,
  modeFlag,
  renderQuiet,
  unreadWords,
  whatInput,
} from './render.ts'
import { setMode } from './sending.ts'

const stateSchema = z.object({
  id: z.string(),
  cardId: z.string(),
  asset: z.int(),
  /** The machine’s container; undefined until monitoring has said it. Until then, only the machine can be chosen. */
  container: z.int().optional(),
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
  const hint = { container, asset }
  const state = { id: randomUUID(), cardId, asset, place: keptPlace(place) }
  const first = maintenanceModal(JSON.stringify(state), nameIn(house, asker, hint))
  const viewId = await slack.openView(triggerId, first)

  const view = await viewNow(house, { owner: asker, token }, hint, state)
  await slack.updateView(viewId, view)
}

/** The form with all that is known, or a note if there is nothing to begin. */
async function viewNow(
  house: House,
  reader: Account,
  hint: ModeTarget,
  state: Omit<z.input<typeof stateSchema>, 'container'>,
): Promise<View> {
  const { assets, now } = house
  const asker = reader.owner
  const shown = await assets.modeNow(reader, hint)
  if (typeof shown === 'string')
    return maintenanceNote(say(unreadWords(shown, nameIn(house, asker, hint))))

  const { container, mode } = shown
  const target = { container, asset: hint.asset }
  const [all, machine] = await Promise.all([
    assets.listed(reader, container),
    nameLearned(house, reader, target),
  ])
  const where = nameIn(house, asker, { container })

  if (mode === 'disabled')
    return maintenanceNote(say(`${machine} is disabled, which is changed in monitoring.`))

  const [quiet] = await quietAmong(house, asker, [target])
  if (quiet) return maintenanceNote(renderQuiet(quiet, now()))

  if (await isKnownToLack(house, asker, container, modeFlag)) {
    const buttons = await askButtons(house, asker, { kind: 'set-mode', cardId: state.cardId })
    return maintenanceNote(say(`You can’t do that: ${lacksFlag(where)}`, { buttons }))
  }

  return maintenanceModal(JSON.stringify({ ...state, container }), machine, where, all?.size)
}

export async function answerMaintenanceForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata } = submission
  const { id, cardId, asset, container, place } = readPrivateMetadata(stateSchema, privateMetadata)
  const forMs = Number(filled.choice(lengthInput))
  const isWhole = filled.choice(whatInput) === 'container'
  if (!(forMs > 0) || (isWhole && container === undefined)) throw new UserError(otherVersion)

  const from = submission.moveTo(placeFrom(place, asker))

  await submission.ackOnceKept(async () => {
    const target = { container: container ?? 0, asset: isWhole ? undefined : asset }
    await setMode(house, from, { id, ...target, endsAt: house.now() + forMs, forMs, cardId }, false)
  })
}
