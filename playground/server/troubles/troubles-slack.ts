// Bad days of Slack.
import type { Channel } from '../../slack/model/model.ts'
import type { Slack } from '../../slack/simulator.ts'
import { byOrders, type Trouble } from './troubles-kinds.ts'

const SLOW_MS = 2_500
const RETRY_AFTER_S = 3

/** @param channel - One that Bellhop is in. */
export function troublesOfSlack(slack: Slack, channel: Channel): readonly Trouble[] {
  const { trouble, workspace, bot } = slack
  const group = 'Slack'
  const untilOff = 'until switched off'
  return [
    {
      ...{ id: 'slack-rate-limits', group, lasts: 'once' },
      label: () => 'Answers “too many requests” to the next message',
      hint: () => `Look up an alert: Slack asks to wait ${RETRY_AFTER_S} seconds, then the card comes.`,
      ...byOrders(() => [trouble.rateLimit('chat.postMessage', { retryAfterSeconds: RETRY_AFTER_S })]),
    },
    {
      ...{ id: 'slack-slow', group, lasts: untilOff },
      label: () => `Takes ${SLOW_MS / 1_000} seconds for messages and forms`,
      hint: () => 'Look up an alert, or open a form with /grant.',
      ...byOrders(() =>
        ['chat.postMessage', 'response_url', 'views.open'].map((method) => trouble.slow(method, SLOW_MS)),
      ),
    },
    {
      ...{ id: 'slack-cuts', group, lasts: 'once' },
      label: () => 'Cuts the connection of the next message',
      hint: () => 'Look up an alert: Bellhop can’t tell whether its card was posted, and tries another way.',
      ...byOrders(() => [trouble.cut('chat.postMessage')]),
    },
    {
      ...{ id: 'slack-restricted', group, lasts: untilOff },
      label: () => 'Lets nobody but admins post',
      hint: () => 'Look up an alert: its card answers the command instead, without its history.',
      ...byOrders(() => [
        trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: Number.POSITIVE_INFINITY }),
      ]),
    },
    {
      ...{ id: 'slack-not-in-channel', group, lasts: untilOff },
      label: () => `Bellhop is not in #${channel.name}`,
      hint: () => 'Look up an alert there: Bellhop can post in public channels without an invitation.',
      isOn: () => !channel.members.has(bot.userId),
      set(isOn) {
        if (isOn) channel.members.delete(bot.userId)
        else channel.members.add(bot.userId)
        workspace.changes.tell({ kind: 'channel', channel })
      },
    },
  ]
}
