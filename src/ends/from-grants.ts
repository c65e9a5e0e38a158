// Stores and deletes ends as writes require. An end says when access that was given for a time is taken back: each such
// grant gets one, and an end that a later write makes needless is deleted.
import type { House } from '../house.ts'
import { type AccessWrite, isAccess } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import type { Kind } from '../send/send.ts'
import { knownBy } from '../send/whom.ts'
import { unheld } from '../work/lease.ts'
import { type End, endsOf, firstDue } from './states.ts'
import { settleLetGo } from './telling.ts'

/** A kind of writes that give or take access, extended so that the ends that follow from the writes are stored too. */
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
 * Stores the ends of what a request gave, once, before its asker hears of the outcome: if this process dies first, the next
 * one stores them, and then tells people. Earlier ends of the same person change too, once it is certain that a write was
 * made: what was to end sooner now ends with the request’s access, or stays for good with it; what was taken needs no end.
 * @returns Earlier ends that were deleted.
 */
export async function storeEnds(house: House, request: Request): Promise<readonly End[]> {
  const { ends, requests } = house.storage
  const { workspaceId, id, endsAt, hasEnds, concludedAt = 0 } = request
  const gone: End[] = []
  // True once an end is stored. Most grants are for good: their requests are not written again.
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

    // 2. Running ends of the same person there. While it isn’t certain that the write was made, these ends stay untouched.
    const whom = knownBy(there ? { ...write, there } : write, write.authProvider)
    const all = isCertain ? await endsOf(house, workspaceId, write.containerId, whom) : []

    // A write to an address changes no end of a person who is known by number: the address may be somebody else’s by now.
    const running = all.filter((end) => {
      const isOwn = end.id.startsWith(`${id}.`)
      // Access that was given after this write keeps its end: a look may settle the write hours later.
      const isOlder = Object.values(end.since).every((at) => at <= concludedAt)
      return !isOwn && isOlder && (whom.userId !== undefined || !end.whom.there)
    })
    if (!isEnding && running.length === 0) continue

    // 3. The end of what the write gave comes first: a process that dies here leaves one end too many, not one too few.
    const replaced = running.filter((end) => isNew && end.endsAt <= (endsAt ?? end.endsAt))
    if (isEnding && !hasEnds) {
      hasNew = true
      await ends.insert((now) => endOf(request, endsAt, { n, write, there }, now))
    }

    if (isEnding && replaced.length > 0) {
      const own = { workspaceId, id: `${id}.${n}` }
      const isThere = await ends.change(own, takingOver(write, replaced))
      // After a crash, all this runs again. If the end was deleted meanwhile, as by Keep for good, sooner ends stay.
      if (!isThere) continue
    }

    // 4. Then the running ends, of which the write may take away a part, or all.
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

/** The end of what a send gave, before it takes anything over from sooner ends. */
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
 * Changes an end after a later write about the same person: flags that the write took leave the end. With `isReplaced`,
 * flags that the write gave again leave it too, and the end no longer removes the person from the container.
 * @param isReplaced - True if what the write gave lasts at least as long as the end.
 * @returns The step: `gone` if nothing of the end is left, undefined if nothing changes.
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
