// Begins and ends maintenance with the presser’s token: sends at most once, and reports to whoever pressed.

import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { askButtons } from '../act/rights.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { isRefusedFor, type ModeWrite, requestOutcome } from '../send/outcome.ts'
import { keepBegun, type Notice, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import type { Account } from '../slack/person.ts'
import { hourMs, minuteMs } from '../work/durations.ts'
import { askToBegin } from './asking.ts'
import { modeWords } from './input.ts'
import { minutesUntil } from './maintenance.ts'
import { nameLearned } from './names.ts'
import { type ModeValue, readModeValue, renderVerdict } from './render.ts'
import { onlySend } from './set-mode.ts'

/** Answers *Start maintenance*, whose outcome replaces the question, and *End maintenance*. */
export function pressMode(house: House, pressed: ActionRequest): Promise<void> {
  const value = readModeValue(pressed.value)
  return setMode(house, pressed, value, value.endsAt !== undefined)
}

/**
 * Ends maintenance, or begins it until the end that was shown: pressed an hour later, it is an hour shorter. Once that end
 * has passed, asks anew, for as long as was asked before.
 * @param replaces - True if what follows replaces the message that was pressed.
 */
export async function setMode(
  house: House,
  from: From,
  { id = randomUUID(), container, asset, endsAt, forMs = hourMs, cardId }: ModeValue,
  replaces: boolean,
): Promise<void> {
  const target = { container, asset }
  const minutes = endsAt && minutesUntil(endsAt, house.now())
  const hasPassed = endsAt !== undefined && minutes === undefined

  const time = endsAt === undefined ? 'off' : `for ${minutes ?? Math.ceil(forMs / minuteMs)}m`
  const ask = { line: modeWords(target, time) }
  await withToken(house, from, { feature: 'maintenance', ask }, async (token) => {
    const reader = { owner: from.asker, token }
    if (hasPassed) return askToBegin(house, from, reader, target, house.now() + forMs, replaces)

    const mode = endsAt === undefined ? 'normal' : 'maintenance'
    const write = { kind: 'set-mode', target, mode, endsAt, cardId } as const
    await send(house, { ...from, ...reader }, id, write, replaces)
  })
}

/** *Cancel*. */
export async function cancelMaintenance(house: House, { place }: ActionRequest): Promise<void> {
  await house.slack.privately(place, say('Cancelled. Nothing was sent.'), { replaces: true })
}

async function send(
  house: House,
  from: From & Account,
  id: string,
  write: ModeWrite,
  replaces: boolean,
): Promise<void> {
  const { asker, place } = from
  const begun = await keepBegun(house, { id, sender: asker, writes: [write] })
  // The button was pressed twice: the first press reports the outcome.
  if (begun === undefined) return

  await holding(house, [begun], async () => {
    const sending = sendBegun(house, from.token, begun)
    const slow = say('Asking monitoring …')
    const { request, forSender, isStillHeld } = await sayingWhenSlow(house, place, slow, sending)
    if (!isStillHeld) return

    const { n, outcome } = onlySend(request)
    const name = await nameLearned(house, from, write.target)

    const isForbidden = isRefusedFor(outcome, ['forbidden'])
    const askingButtons = isForbidden
      ? await askButtons(house, asker, { kind: write.kind, cardId: write.cardId })
      : []
    const message = renderVerdict(write, outcome, {
      name,
      reason: forSender.get(n)?.reason,
      askingButtons,
    })
    const notice: Notice = { userId: asker.userId, place, message, replaces }
    await tell(house, [request], [notice], 'at_once')
    noteOutcome(requestOutcome([outcome]))
  })
}
