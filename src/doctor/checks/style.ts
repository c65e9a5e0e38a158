// Doctor's look at how loud this channel wants the bot.

import type { From } from '../../slack/guard/requests.ts'
import type { ChannelStyles } from '../../slack/workspace/channel-style.ts'
import type { Check } from './check.ts'

/** None where there is no channel. */
export function styleChecks(
  channelStyles: Pick<ChannelStyles, 'of'>,
  { asker, place: { channelId, isDirect } }: From,
): readonly Check[] {
  if (channelId === undefined || isDirect) return []
  const name = 'Style here'
  return [
    {
      name,
      ifSlow: 'Ask again in a minute.',
      async run() {
        const set = await channelStyles.of(asker.workspaceId, channelId)
        const who = set === undefined ? 'nobody has set it' : `set by ${set.setBy}`
        const found =
          set?.style === 'quiet'
            ? `quiet, ${who}: what Bellhop is asked here, only the asker sees.`
            : `thread, ${who}: cards are for everybody, with their history in the thread.`
        return [{ name, state: 'green', found }]
      },
    },
  ]
}
