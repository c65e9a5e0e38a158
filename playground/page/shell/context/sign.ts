// The sign before a name, as Slack has it.
import type { ChannelState } from '../../state/state.ts'
import type { IconName } from './icon.ts'

/** @param channel - Undefined for the Home tab. */
export function signOf(channel: ChannelState | undefined): IconName {
  if (!channel) return 'home'
  return channel.kind === 'private' ? 'lock' : 'channel'
}
