// Bot tokens that Slack refuses while the bot runs: told in the log when that begins and when it ends.
//
// `auth.test` alone decides. Bellhop asks it when another call is refused because of its token, so that one odd answer is
// not believed, and every half a minute while the token is refused: a bot that is not ready makes no other calls.
// An `auth.test` that is refused elsewhere does not count: Bellhop also asks it when the bot is uninstalled, before it
// forgets the workspace, and that is no trouble.
import { setTimeout as delay } from 'node:timers/promises'
import { createTrouble, type Log, type Trouble } from '../../log/log.ts'
import { outsideRequest } from '../../log/request.ts'
import { classify, NotInstalledError } from '../client/refusals.ts'
import type { Clock } from '../ids.ts'

export interface RefusedTokens {
  /** Slack refused a call of this method for the token's sake. Returns at once. */
  suspect(workspaceId: string, method: string): void
  /** Workspaces whose token Slack refuses. */
  count(): number
  /** Slack's word, of the one that began first; undefined while there is none. */
  first(): string | undefined
}

const askedEveryMs = 30_000

const refusedWords = 'Slack refuses the bot token of a workspace: Bellhop can post nothing there; '
const mends = {
  one: 'copy the token again (SLACK_BOT_TOKEN)',
  several: 'install Bellhop there again, at /slack/install under PUBLIC_URL',
}

export function createRefusedTokens(room: {
  /** Whether there is the one token of SLACK_BOT_TOKEN, or one for each workspace that has installed the bot. */
  readonly whose: keyof typeof mends
  /** Asks `auth.test`. Throws what `refusals.ts` sorts. */
  readonly ask: (workspaceId: string) => Promise<unknown>
  readonly log: Log
  readonly now: Clock
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
  /** In place of half a minute. */
  readonly tokenPause?: ((ms: number) => Promise<void>) | undefined
}): RefusedTokens {
  const { whose, ask, stopping } = room
  const pause =
    room.tokenPause ?? ((ms) => delay(ms, undefined, { ref: false, signal: stopping }).catch(() => undefined))
  const refused = new Map<string, { readonly refusal: string; readonly trouble: Trouble }>()
  const followed = new Set<string>()

  function begins(workspace: string, refusal: string): void {
    if (refused.has(workspace)) return
    const trouble = createTrouble(room)
    refused.set(workspace, { refusal, trouble })
    trouble.begins({ workspace, refusal }, `${refusedWords}${mends[whose]}`)
  }

  function ends(workspace: string, isInstalled: boolean): void {
    const known = refused.get(workspace)
    refused.delete(workspace)
    if (isInstalled) known?.trouble.ends({ workspace }, 'Slack accepts the bot token of a workspace again')
    else
      known?.trouble.ends({ workspace }, 'Bellhop was uninstalled from a workspace whose token Slack refused')
  }

  /** @returns Whether it is to be asked again. */
  async function judge(workspaceId: string): Promise<boolean> {
    try {
      await ask(workspaceId)
      ends(workspaceId, true)
    } catch (error) {
      if (stopping.aborted) return false
      const failure = classify(error)
      if (failure.kind === 'token') begins(workspaceId, failure.word)
      else if (error instanceof NotInstalledError) ends(workspaceId, false)
      // Else Slack does not say. A suspicion is not kept for that: the next refusal brings another.
    }
    return refused.has(workspaceId)
  }

  /** Until Slack takes it again: hours after the request that has met it, of which this is no part. */
  async function follow(workspaceId: string): Promise<void> {
    do await pause(askedEveryMs)
    while (!stopping.aborted && (await judge(workspaceId)))
  }

  async function lookInto(workspaceId: string): Promise<void> {
    if (await judge(workspaceId)) await outsideRequest(() => follow(workspaceId))
    followed.delete(workspaceId)
  }

  return {
    suspect(workspaceId, method) {
      if (method === 'auth.test' || followed.has(workspaceId)) return
      followed.add(workspaceId)
      void lookInto(workspaceId)
    },
    count: () => refused.size,
    first: () => refused.values().next().value?.refusal,
  }
}
