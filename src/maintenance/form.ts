// *Maintenance…* on a card: the form is the question. It opens at once with what is known, and gets the rest.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isKnownToLack } from '../account/rights.ts'
import { askButtons } from '../act/rights.ts'
import { cardFor } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { learnName } from '../names/names.ts'
import {
  type ActionRequest,
  otherVersion,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, placeFrom } from '../slack/outbound/delivery.ts'
import { describe, type Message, say } from '../slack/outbound/message.ts'
import { nameIn, quietAmong } from './names.ts'
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
import { begin } from './sending.ts'

const stateSchema = z.object({
  id: z.string(),
  cardId: z.string(),
  asset: z.int(),
  /** Unknown until monitoring has said it: then only the machine can be chosen. */
  container: z.int().optional(),
  place: keptPlaceSchema,
})

/** @throws UserError where the card is forgotten, or nobody knows its machine. */
export async function openMaintenanceForm(
  house: House,
  { asker, place, triggerId }: ActionRequest,
  cardId: string,
): Promise<void> {
  const { slack, assets, tokens, now } = house
  const card = await cardFor(house, asker, cardId)
  if (card.place === undefined)
    throw new UserError(
      'I don’t know which machine this alert is on. Type /alert maintenance instead.',
    )
  const { asset, container: hinted } = card.place
  const state = { id: randomUUID(), cardId, asset, place: keptPlace(place) }
  const machine = nameIn(house, asker, { container: hinted ?? 0, asset })
  const token = await tokens.find(asker)
  if (token === undefined) throw new UserError('Connect your account with /alert connect first.')
  const form = { machine, container: undefined }
  const viewId = await slack.openView(triggerId, maintenanceModal(JSON.stringify(state), form))

  const reader = { owner: asker, token }
  const shown = await assets.modeNow(reader, { container: hinted ?? 0, asset })
  const update = (message: Message) => slack.updateView(viewId, maintenanceNote(message))
  if (typeof shown === 'string') return void (await update(say(unreadWords(shown, machine))))
  const { container, mode } = shown
  const target = { container, asset }
  const [all] = await Promise.all([
    assets.listed(reader, container),
    learnName(house, reader, container),
  ])
  const name = nameIn(house, asker, target)
  const where = containerInWords(house, asker, container)

  const [on] = await quietAmong(house, asker, [target])
  if (on !== undefined) return void (await update(renderQuiet(on, now())))
  if (mode === 'disabled')
    return void (await update(say(`${name} is disabled, which is changed in monitoring.`)))
  if (await isKnownToLack(house, asker, container, modeFlag)) {
    const buttons = await askButtons(house, asker, { kind: 'set-mode', cardId })
    return void (await update(
      describe({ lines: [`You can’t do that: ${lacksFlag(where)}`], buttons }),
    ))
  }
  const known = { machine: name, container: where, machines: all?.size }
  const whole = JSON.stringify({ ...state, container })
  await slack.updateView(viewId, maintenanceModal(whole, known))
}

export async function answerMaintenanceForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata } = submission
  const { id, cardId, asset, container, place } = readPrivateMetadata(stateSchema, privateMetadata)
  const forMs = Number(filled.choice(lengthInput))
  const isWhole = filled.choice(whatInput) === 'container'
  if (!(forMs > 0) || (isWhole && container === undefined)) throw new UserError(otherVersion)
  const from = submission.moveTo(placeFrom(place, asker))

  await submission.ackOnceKept(async () => {
    const there = container ?? (await containerOf(house, asker, asset))
    const endsAt = house.now() + forMs
    const target = { container: there, asset: isWhole ? undefined : asset }
    await begin(house, from, { id, ...target, endsAt, forMs, cardId }, false)
  })
}

/** @throws UserError where it can’t be told. */
async function containerOf(house: House, asker: Submission['asker'], asset: number) {
  const token = await house.tokens.find(asker)
  if (token === undefined) throw new UserError('Connect your account with /alert connect first.')
  const shown = await house.assets.modeNow({ owner: asker, token }, { container: 0, asset })
  if (typeof shown === 'string') throw new UserError(unreadWords(shown, `asset ${asset}`))
  return shown.container
}
