// Bad days of Slack.
import { truth } from '../../slack/model/json.ts'
import type { Channel } from '../../slack/model/model.ts'
import type { Slack } from '../../slack/simulator.ts'
import type { Order } from '../../slack/wire/trouble.ts'
import { Impossible } from '../playing/act-schema.ts'
import { byChannel, byOrders, type Trouble } from './troubles-kinds.ts'

const SLOW_MS = 2_500
const RETRY_AFTER_S = 3

export function troublesOfSlack(slack: Slack): readonly Trouble[] {
  const { trouble, bot } = slack
  const group = 'Slack'
  const untilOff = 'until switched off'
  return [
    {
      id: 'slack-rate-limits',
      group,
      lasts: 'once',
      label: () => 'Answers “too many requests” to the next message',
      hint: () =>
        `Look up an alert: Slack asks to wait ${RETRY_AFTER_S} seconds, then the card comes.`,
      ...byOrders(() => [
        trouble.rateLimit('chat.postMessage', { retryAfterSeconds: RETRY_AFTER_S }),
      ]),
    },
    {
      id: 'slack-slow',
      group,
      lasts: untilOff,
      label: () => `Takes ${SLOW_MS / 1_000} seconds for messages and forms`,
      hint: () => 'Look up an alert, or open a form with /grant.',
      ...byOrders(() =>
        ['chat.postMessage', 'response_url', 'views.open'].map((method) =>
          trouble.slow(method, SLOW_MS),
        ),
      ),
    },
    {
      id: 'slack-cuts',
      group,
      lasts: 'once',
      label: () => 'Cuts the connection of the next message',
      hint: () =>
        'Look up an alert: Bellhop can’t tell whether its card was posted, and tries another way.',
      ...byOrders(() => [trouble.cut('chat.postMessage')]),
    },
    {
      id: 'slack-read-only',
      group,
      lasts: untilOff,
      label: () => 'Restrict posting',
      hint: () =>
        'Look up an alert in this channel: its card answers the command instead. A channel that follows a container isn’t told what is new, and whoever’s account reads it is.',
      ...byChannel((channel) => restrict(slack, channel)),
    },
    {
      id: 'slack-removed',
      group,
      lasts: untilOff,
      label: () => 'Remove Bellhop',
      hint: () =>
        'From this channel. In public ones Bellhop can post without an invitation. Type /invite @Bellhop to have it back.',
      ...byChannel((channel, { person }) => {
        if (!channel.members.has(bot.userId)) throw new Impossible('Bellhop isn’t in this channel.')
        void slack.removeBot(channel, person)
        return {
          get isWaiting() {
            return !channel.members.has(bot.userId)
          },
          cancel: () => slack.addBot(channel),
        }
      }),
    },
    {
      id: 'slack-deletes-card',
      group,
      lasts: 'at once',
      label: () => 'Delete a card',
      hint: () =>
        'Bellhop’s newest message in this channel goes, as if somebody or retention had deleted it.',
      isOn: () => false,
      set: (_isOn, _player, channel) => deleteNewest(slack, channel),
    },
  ]
}

/** What stands in the channel itself is refused; what stands in a thread alone isn't. */
function restrict({ trouble }: Slack, { id }: Channel): Order {
  return trouble.fail(
    'chat.postMessage',
    { error: 'restricted_action_read_only_channel' },
    {
      times: Number.POSITIVE_INFINITY,
      only: (args) => args.channel === id && (!args.thread_ts || truth(args.reply_broadcast)),
    },
  )
}

/** @returns That it is gone. @throws Impossible when there is none. */
function deleteNewest(slack: Slack, channel: Channel | undefined): string {
  const newest = (channel ? slack.messagesIn(channel) : []).findLast(
    ({ byBot, ephemeralFor, threadTs }) =>
      byBot && ephemeralFor === undefined && threadTs === undefined,
  )
  if (newest === undefined) throw new Impossible('There is no message of Bellhop’s here.')
  slack.workspace.remove(newest)
  return 'Bellhop’s newest message here is deleted.'
}
