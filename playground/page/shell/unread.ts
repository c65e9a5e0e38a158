// Unread channels: those with messages that whoever is played has not looked at yet.
import { useRef } from 'preact/hooks'
import type { ChannelState, PageState } from '../state/state.ts'

/**
 * What was there when the page first showed a channel to this person counts as read. Replies make it unread as well:
 * there is no list of threads here that could tell of them.
 */
export function useUnread(state: PageState, open: ChannelState | undefined): ReadonlySet<string> {
  const read = useRef(new Map<string, string>())
  const unread = new Set<string>()
  for (const { id } of state.channels) {
    const key = `${state.viewer.id} ${id}`
    const last = state.messages.findLast(({ channelId }) => channelId === id)?.ts ?? ''
    const seen = read.current.get(key)
    if (seen === undefined || id === open?.id) read.current.set(key, last)
    else if (last > seen) unread.add(id)
  }
  return unread
}
