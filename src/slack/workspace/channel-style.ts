// How loud a channel wants the bot: the port of the store that knows, and what follows from it.
import type { SlackUser } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'

/** `thread`: for everybody, with a thread. `quiet`: everything to whoever asked, alone. */
export const styles = ['thread', 'quiet'] as const
export type Style = (typeof styles)[number]

export interface ChannelStyle {
  readonly style: Style
  /** The name of who set it, raw. */
  readonly setBy: string
  /** Milliseconds since 1970. */
  readonly setAt: number
}

export interface ChannelStyles {
  /** Undefined while nobody has set one: that is `thread`. */
  of(workspaceId: string, channelId: string): Promise<ChannelStyle | undefined>
  set(workspaceId: string, channelId: string, style: Style, setBy: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
}

/** Whether what is asked there is for the asker alone. */
export async function isQuiet(
  channelStyles: Pick<ChannelStyles, 'of'>,
  { asker, place: { channelId, isDirect } }: { readonly asker: SlackUser; readonly place: Place },
): Promise<boolean> {
  if (channelId === undefined || isDirect) return false
  return (await channelStyles.of(asker.workspaceId, channelId))?.style === 'quiet'
}
