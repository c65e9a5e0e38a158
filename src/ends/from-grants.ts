// Ends that writes leave behind: what is given for a time gets one, and those that it makes needless go.
import type { House } from '../house.ts'
import { type AccessWrite, isAccess } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import type { Kind } from '../send/send.ts'
import { knownBy } from '../send/whom.ts'
import { unheld } from '../work/lease.ts'
import { type End, endsOf, firstDue } from './states.ts'
import { settleLetGo } from './telling.ts'

/** A kind of write that gives or takes access: ends follow from it. */
export function withEnds(kind: Kind): Kind {
  return {
    ...kind,
    async storeWhatFollows(house, request) {
      const gone = await storeEnds(house, request)
      if (gone.length === 0) return

      const settling = house.slack.work.run(() => settleLetGo(house, request, gone))
      void settling.catch((err: unknown) =>
        house.log.failedJob('warn', { err }, 'what stands about access could not be redrawn'),
      )
    },
  }
}

/**
 * Stores the ends of what a request gave, once, before anybody hears of the outcome: a process that dies first leaves it
 * to the next, with the telling. What was to end sooner ends with it, or stays for good where it has no end; and what a
 * read has shown to be taken away ends no more. Of an uncertain write, a later look shows that.
 * @returns Ends that are gone by that.
 */
export async function storeEnds(house: House, request: Request): Promise<readonly End[]> {
  const { ends, requests } = house.storage
  const { workspaceId, id, endsAt, hasEnds, concludedAt = 0 } = request
  const gone: End[] = []
  // Most grants are for good, of somebody of whom nothing ends.
  let isTouched = false
  for (const { n, write, outcome, there } of request.sends) {
    // 1. Writes that give or take access, and may have been done.
    const isCertain = outcome?.kind === 'done'
    const mayBeDone = isCertain || outcome?.kind === 'uncertain'
    if (!isAccess(write) || !mayBeDone) continue

    const gives = write.kind === 'add-user' || write.kind === 'change'
    if (!gives && write.kind !== 'remove') continue

    const wasSoAlready = isCertain && outcome.ground === 'already'
    const isNew = gives && !wasSoAlready
    const isEnding = isNew && endsAt !== undefined

    // 2. Ends of the same person there, once it is certain that something of them is given or taken.
    const whom = knownBy(there ? { ...write, there } : write, write.authProvider)
    const all = isCertain ? await endsOf(house, workspaceId, write.containerId, whom) : []

    // An address may be another’s by now: an end that knows a number is let go for that number alone.
    const running = all.filter((end) => {
      const isOwn = end.id.startsWith(`${id}.`)
      const isOlder = Object.values(end.since).every((at) => at <= concludedAt)
      return !isOwn && isOlder && (whom.userId !== undefined || !end.whom.there)
    })
    if (!isEnding && running.length === 0) continue

    // 3. Its own end first: a process that dies in between leaves one too many, never access without one.
    isTouched = true
    const replaced = running.filter((end) => isNew && end.endsAt <= (endsAt ?? end.endsAt))
    if (isEnding && !hasEnds)
      await ends.insert((now) => endOf(request, endsAt, { n, write, there }, now))

    if (isEnding && replaced.length > 0) {
      const own = { workspaceId, id: `${id}.${n}` }
      const isThere = await ends.change(own, takingOver(write, replaced))
      // Let go meanwhile, it takes nothing over.
      if (!isThere) continue
    }

    // 4. Ends that this lets go, or of which it leaves a part.
    for (const end of running) {
      const step = lettingGo(write, replaced.includes(end))
      if (step(end) === 'gone') gone.push(end)

      await ends.change(end, step)
    }
  }

  if (isTouched && !hasEnds) await requests.change(request, (one) => ({ ...one, hasEnds: true }))
  return gone
}

/** A send that gives something, or may have given it. */
type GivingSend = Pick<Send, 'n' | 'there'> & { readonly write: AccessWrite }

function endOf(
  request: Request,
  endsAt: number,
  { n, write, there }: GivingSend,
  now: number,
): End {
  const { workspaceId, id, askerId, sender, about, approval } = request
  const { containerId, email, slackId, authProvider, permissions } = write
  const isInThread = about?.isForAll && about.threadTs === approval?.threadTs

  return {
    workspaceId,
    id: `${id}.${n}`,
    containerId,
    whom: { email, slackId, there: there ?? write.there },
    authProvider,
    flags: permissions,
    since: Object.fromEntries(permissions.map((flag) => [flag, now])),
    member: write.member ?? false,
    wasThere: write.there !== undefined,
    giverId: sender.userId,
    askerId,
    card: isInThread ? undefined : approval?.card,
    about,
    endsAt,
    tries: 0,
    standingMessages: [],
    dueAt: firstDue(endsAt, now),
    ...unheld,
  }
}

/** @param replaced - What ended sooner: of that it takes what was to be given again. */
function takingOver({ keeps = [] }: AccessWrite, replaced: readonly End[]) {
  const sooner = replaced.flatMap((end) => Object.entries(end.since))
  const kept = sooner.filter(([flag]) => keeps.includes(flag))
  return (end: End): End => {
    const since = { ...Object.fromEntries(kept), ...end.since }
    const wasThere = end.wasThere && replaced.every((one) => one.wasThere)
    return { ...end, flags: Object.keys(since), since, wasThere }
  }
}

/**
 * Flags that a write took are gone. Those that it gave again no longer end, and whoever was brought there stays.
 * @param isReplaced - What it gave lasts at least as long.
 */
function lettingGo(write: AccessWrite, isReplaced: boolean) {
  const { kind, permissions, keeps = [], takes = [] } = write
  const given: readonly string[] = isReplaced ? [...permissions, ...keeps] : []
  return (end: End): End | 'gone' | undefined => {
    if (kind === 'remove') return 'gone'

    const flags = end.flags.filter((flag) => !given.includes(flag) && !takes.includes(flag))
    const isTaken = kind === 'change' && write.member === false
    const isGiven = write.member && isReplaced
    const member = end.member && !isTaken && !isGiven
    const isSame = flags.length === end.flags.length && member === end.member
    if (isSame) return undefined
    if (flags.length === 0 && !member) return 'gone'
    return { ...end, flags, member, wasThere: end.wasThere || isReplaced }
  }
}
