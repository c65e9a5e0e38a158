// Sets a mode, as a kind of request: how it is sent, proved by reads, recorded and counted, and the document that follows.
//
// The service gives 204 even if nothing changes, so a mode counts as set once a read shows it. No read shows its end.
// Source: the service’s documentation of “Set asset mode” and “Set container mode”.
import { actsTotal } from '../metrics/metrics.ts'
import { asModeWrite, codeOf, type WriteOutcome } from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import { asSendResult, type Kind, lookUntilShown } from '../send/send.ts'
import { poked } from '../work/lease.ts'
import { minutesUntil, newMaintenance, targetKey } from './maintenance.ts'
import { nameIn } from './names.ts'
import { renderVerdict } from './render.ts'

const changed: WriteOutcome = { kind: 'not-done', code: 'changed' }

export const modeKind: Kind = {
  async perform(house, reader, anyWrite, begin) {
    const { assets, monitor, now } = house
    const { target, mode, endsAt } = asModeWrite(anyWrite)

    // 1. The target’s mode now: maintenance is never begun anew, and a disabled target is changed in monitoring alone.
    const before = await assets.modeNow(reader, target)
    if (typeof before === 'string') return { outcome: { kind: 'not-done', code: before } }
    if (before.mode === mode) return { outcome: { kind: 'done', ground: 'already' } }
    if (before.mode === 'disabled') return { outcome: changed }

    // 2. Minutes up to the end that was shown, whenever the request is sent.
    const duration = endsAt === undefined ? undefined : minutesUntil(endsAt, now())
    if (endsAt !== undefined && duration === undefined) return { outcome: changed }
    if (!(await begin())) return undefined

    const sent = asSendResult(await monitor.setMode(reader.token, target, { mode, duration }))
    if (sent.outcome.kind === 'not-done') return sent

    // 3. What a read shows, whatever the answer was.
    let isShown = false
    await lookUntilShown(house, async () => {
      const after = await assets.modeNow(reader, target)
      isShown = typeof after !== 'string' && after.mode === mode
      return isShown ? 'enough' : 'again'
    })
    if (isShown) return { outcome: { kind: 'done', ground: 'seen' } }

    if (sent.outcome.kind !== 'done') return sent

    return { outcome: { kind: 'uncertain', cause: 'not-seen' } }
  },
  record(house, { id, sender }, { n, write }, { outcome }) {
    const { target, mode, endsAt } = asModeWrite(write)
    const found = codeOf(outcome)
    return house.audit.record({
      ...sender,
      act: 'set-mode',
      containerId: target.container,
      asset: target.asset,
      mode,
      until: endsAt,
      outcome: found,
      key: `set-mode:${id}.${n}:${found}`,
      reference: id,
    })
  },
  /** Stores maintenance that was set, or may have been: later looks tell. If it was ended, the document is looked at now. */
  async storeWhatFollows({ storage, slack, poller }, request) {
    const { workspaceId, sender } = request
    const { write, outcome } = onlySend(request)
    const { endsAt } = write
    const isAlready = outcome.kind === 'done' && outcome.ground === 'already'
    const mayBeSet = outcome.kind === 'uncertain' || outcome.kind === 'done'
    if (!mayBeSet || (isAlready && endsAt !== undefined)) return

    const claim = targetKey(write.target)
    const [known] = await storage.maintenances.list({ workspaceId, claim })
    if (known?.id === request.id) return

    if (endsAt === undefined) {
      if (known !== undefined) await storage.maintenances.change(known, poked)
    } else {
      if (known !== undefined) await storage.maintenances.drop(known)
      const name = (await slack.people.nameOf(sender.userId)) ?? 'Somebody'
      const by = { userId: sender.userId, name }
      await storage.maintenances.insert((now) =>
        newMaintenance(request, { ...write, endsAt }, by, now),
      )
    }
    poller.wake()
  },
  async showAndCompose(house, request) {
    const { sender } = request
    const { write, outcome } = onlySend(request)
    const message = renderVerdict(write, outcome, {
      name: nameIn(house, sender, write.target),
      isOfEarlier: true,
    })
    return [{ userId: sender.userId, message }]
  },
  count(request, told) {
    const { write, outcome } = onlySend(request)
    actsTotal.inc({ kind: write.kind, verdict: codeOf(outcome), told })
  },
}

/** The one write of a request, and its outcome. @throws Error if the request has not ended. */
export function onlySend({ id, sends: [send] }: Request) {
  if (send?.outcome === undefined) throw new Error(`request ${id} has no outcome`)

  return { n: send.n, write: asModeWrite(send.write), outcome: send.outcome }
}
