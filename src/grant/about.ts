// What access is granted for, and where that is told. Data only.
import type { Place } from '../slack/outbound/delivery.ts'

/** What access is granted for. */
export interface About {
  /** Raw. */
  readonly name: string
  /** What became of it is told to everybody there, in the thread it was asked in. */
  readonly isForAll: boolean
}

/** With its thread, for what is told later or by a button that stands elsewhere. */
export interface KeptAbout extends About {
  readonly channelId?: string | undefined
  readonly threadTs?: string | undefined
  readonly isDirect: boolean
}

export function keptAbout(about: About, { channelId, threadTs, isDirect }: Place): KeptAbout {
  return { ...about, channelId, threadTs, isDirect }
}
