// Turns at direct messages to those who watch: threads need most of what Slack takes in a workspace, and nobody reads
// dozens at once.
import type { Clock, SlackUser } from '../slack/ids.ts'

const minuteMs = 60_000
/** Of the several hundred messages a minute that Slack takes in a workspace. */
const mostPerMinute = 60
/** Slack takes one a second in a conversation, and a few more at once. */
const mostPerPerson = 10

/** Of this process. */
export interface DirectTurns {
  /** True when one more may go out to this person now. */
  take(person: SlackUser): boolean
}

/** @param now - Milliseconds, never jumps. */
export function createDirectTurns(now: Clock): DirectTurns {
  const sent = new Map<string, readonly { readonly userId: string; readonly at: number }[]>()
  return {
    take({ workspaceId, userId }) {
      const from = now() - minuteMs
      for (const [id, all] of sent) {
        const lately = all.filter(({ at }) => at > from)
        if (lately.length === 0) sent.delete(id)
        else sent.set(id, lately)
      }
      const lately = sent.get(workspaceId) ?? []
      const theirs = lately.filter((one) => one.userId === userId)
      if (lately.length >= mostPerMinute || theirs.length >= mostPerPerson) return false
      sent.set(workspaceId, [...lately, { userId, at: now() }])
      return true
    },
  }
}
