// Ends that follow from writes: access given for a time gets an end, and ends that a write makes needless go.
import type { House } from '../house.ts'
import { type AccessWrite, isAccess } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import type { Kind } from '../send/send.ts'
import { knownBy } from '../send/whom.ts'
import { unheld } from '../work/lease.ts'
import { type End, endsOf, firstDue } from './states.ts'
import { settleLetGo } from './telling.ts'

/** A kind of writes that give or take access, made to store the ends that follow from them as well. */
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
 * Stores the ends of what a request gave, once, before anybody hears of the outcome: a process that dies first leaves that
 * to the next, with the telling. Access that was to end sooner now ends with the request’s, or is for good where that is.
 * Access that a read has shown to be taken away ends no more. Of an uncertain write, all that follows a later look.
 * @returns Ends that are gone by that.
 */
export async function storeEnds(house: House, request: Request): Promise<readonly End[]> {
  const { ends, requests } = house.storage
  const { workspaceId, id, endsAt, hasEnds, concludedAt = 0 } = request
  const gone: End[] = []
  // Stays false for most grants, which are for good: the request isn’t changed.
  let hasNew = false
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

    // 2. Running ends of the same person there. While it isn’t certain that the write was made, they stay untouched.
    const whom = knownBy(there ? { ...write, there } : write, write.authProvider)
    const all = isCertain ? await endsOf(house, workspaceId, write.containerId, whom) : []

    // An end that knows a number is let go for that number alone: the address may be somebody else’s by now.
    const running = all.filter((end) => {
      const isOwn = end.id.startsWith(`${id}.`)
      // Access that was given since ends as it was decided then: a look may come hours later.
      const isOlder = Object.values(end.since).every((at) => at <= concludedAt)
      return !isOwn && isOlder && (whom.userId !== undefined || !end.whom.there)
    })
    if (!isEnding && running.length === 0) continue

    // 3. Its own end first: a process that dies in between leaves an end too many, never access without one.
    const replaced = running.filter((end) => isNew && end.endsAt <= (endsAt ?? end.endsAt))
    if (isEnding && !hasEnds) {
      hasNew = true
      await ends.insert((now) => endOf(request, endsAt, { n, write, there }, now))
    }

    if (isEnding && replaced.length > 0) {
      const own = { workspaceId, id: `${id}.${n}` }
      const isThere = await ends.change(own, takingOver(write, replaced))
      // Gone since a first time, as after Keep for good: sooner ends stay as they are.
      if (!isThere) continue
    }

    // 4. Then the running ones, which the write lets go wholly or in part.
    for (const end of running) {
      const step = lettingGo(write, replaced.includes(end))
      if (step(end) === 'gone') gone.push(end)

      await ends.change(end, step)
    }
  }

  if (hasNew) await requests.change(request, (one) => ({ ...one, hasEnds: true }))
  return gone
}

/** A send that gives something, or may have given it. */
type GivingSend = Pick<Send, 'n' | 'there'> & { readonly write: AccessWrite }

/** The end of what a send gave, before it takes anything over. */
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

/** Has an end take over flags that were given again. @param replaced - Sooner ends, which had them until now. */
function takingOver({ takesOver = [] }: AccessWrite, replaced: readonly End[]) {
  const sooner = replaced.flatMap((end) => Object.entries(end.since))
  const kept = sooner.filter(([flag]) => takesOver.includes(flag))
  return (end: End): End => {
    const since = { ...Object.fromEntries(kept), ...end.since }
    const wasThere = end.wasThere && replaced.every((one) => one.wasThere)
    return { ...end, flags: Object.keys(since), since, wasThere }
  }
}

/**
 * Changes an end after another write: flags that the write took leave the end. With `isReplaced`, so do flags that it gave
 * again, and whoever was brought onto the container stays there.
 * @param isReplaced - True where what the write gave lasts at least as long.
 */
function lettingGo(write: AccessWrite, isReplaced: boolean) {
  const { kind, permissions, takesOver = [], takes = [] } = write
  const given: readonly string[] = isReplaced ? [...permissions, ...takesOver] : []
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
