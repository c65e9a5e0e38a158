// Begins and ends maintenance with the presser’s token: sends at most once, and reports to whoever pressed.

import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { askButtons } from '../act/rights.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { learnName } from '../names/names.ts'
import { isRefusedFor, type ModeWrite, requestOutcome } from '../send/outcome.ts'
import { keepBegun, type Notice, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import type { Account } from '../slack/person.ts'
import { askToBegin } from './asking.ts'
import { modeWords } from './input.ts'
import { minutesUntil } from './maintenance.ts'
import { nameIn } from './names.ts'
import { type ModePress, readModePress, renderVerdict } from './render.ts'
import { onlySet } from './set-mode.ts'

const passed = 'That time has passed, so nothing was sent. Type /alert maintenance again.'

/** *Start maintenance*, below the question, which its outcome replaces. */
export function startMaintenance(house: House, pressed: ActionRequest): Promise<void> {
  return begin(house, pressed, readModePress(pressed.value), true)
}

/** Begins it until the end that was shown: pressed an hour later, it is that much shorter, or asked about again. */
export async function begin(
  house: House,
  from: From,
  press: ModePress,
  replaces: boolean,
): Promise<void> {
  const { id = randomUUID(), container, asset, endsAt = 0, forMs, cardId } = press
  const target = { container, asset }
  const minutes = minutesUntil(endsAt, house.now())
  const ask = { line: modeWords(target, `for ${minutes ?? 60}m`) }
  await withToken(house, from, { feature: 'maintenance', ask }, async (token) => {
    const reader = { owner: from.asker, token }
    if (minutes !== undefined) {
      const write = { kind: 'set-mode', target, mode: 'maintenance', endsAt, cardId } as const
      return send(house, { ...from, ...reader }, id, write, replaces)
    }
    if (forMs === undefined) throw new UserError(passed)
    await askToBegin(house, from, reader, target, { endsAt: house.now() + forMs, forMs }, replaces)
  })
}

/** *End maintenance*. */
export async function endMaintenance(house: House, pressed: ActionRequest): Promise<void> {
  const { container, asset } = readModePress(pressed.value)
  const target = { container, asset }
  const ask = { line: modeWords(target, 'off') }
  await withToken(house, pressed, { feature: 'maintenance', ask }, (token) =>
    send(
      house,
      { ...pressed, owner: pressed.asker, token },
      randomUUID(),
      { kind: 'set-mode', target, mode: 'normal' },
      false,
    ),
  )
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
  // Pressed twice: whoever began it reports the outcome.
  if (begun === undefined) return
  await holding(house, [begun], async () => {
    const sending = sendBegun(house, from.token, begun)
    const slow = say('Asking monitoring …')
    const { request, forSender, isStillHeld } = await sayingWhenSlow(house, place, slow, sending)
    if (!isStillHeld) return
    const { n, outcome } = onlySet(request)
    await learnName(house, from, write.target.container)

    if (isRefusedFor(outcome, ['refused'])) {
      await tell(house, [request], [], 'at_once')
      // Asks to connect, and keeps what was wanted.
      throw new MonitorError('refused', 'The token was refused as a mode was set.')
    }
    const isForbidden = isRefusedFor(outcome, ['forbidden'])
    const askingButtons = isForbidden
      ? await askButtons(house, asker, { kind: write.kind, cardId: write.cardId })
      : []
    const message = renderVerdict(write, outcome, {
      name: nameIn(house, asker, write.target),
      reason: forSender.get(n)?.reason,
      askingButtons,
    })
    const notice: Notice = { userId: asker.userId, place, message, replaces }
    await tell(house, [request], [notice], 'at_once')
    noteOutcome(requestOutcome([outcome]))
  })
}
