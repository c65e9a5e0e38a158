// The alerts of the seed that are hard to show well, hostile ones included. Data only.
import type { NewAction, NewAlert } from '../alerts.ts'

const minute = 60
const hour = 60 * minute

/** @param now - Unix seconds. */
export function edgeCases(now: number): readonly NewAlert[] {
  const at = (secondsAgo: number, kind: string, data: NewAction['data'] = null): NewAction => ({
    kind,
    timestamp: now - secondsAgo,
    data,
  })
  return [
    {
      ks: 'long-story',
      message: 'Queue is growing',
      severity: 3,
      timestamp: now - 30 * hour,
      ownerId: 9,
      actions: Array.from({ length: 520 }, (_, index) =>
        at((520 - index) * 3 * minute, 'Comment', {
          userId: 9,
          message: `Note ${index + 1}: still growing.`,
        }),
      ),
    },
    {
      ks: 'odd-kinds',
      message: 'Kinds that the contract does not name',
      severity: 6,
      timestamp: now - hour,
      actions: [
        at(50 * minute, 'Escalate', {
          to: { team: 'network', people: [7, 9], onCall: true },
          tries: [{ by: 'sms', ok: false }],
          note: null,
        }),
        at(45 * minute, 'Snooze', { untilTimestamp: now + hour }),
        at(40 * minute, 'Comment', {}),
        at(35 * minute, '', null),
      ],
    },
    {
      ks: 'a/b?c=<d>&e%2F#f',
      message:
        '<!channel> <@U012345> <https://evil.example|Click> &amp; *bold* _it_ ~no~ `code` ```block```',
      severity: 1,
      timestamp: now - hour,
      lastMessage: '> quoted\n\n*two*\n<!here>\n```\nunfinished',
      lastSeverity: 1,
      lastTimestamp: now - 5 * minute,
      actions: [
        at(10 * minute, 'Comment', { userId: 7, message: '<!everyone> `"}]} \u0000 @here :tada:' }),
      ],
    },
    {
      ks: 'long-message',
      message: 'All work and no play makes a dull server. '.repeat(120).slice(0, 5_000),
      severity: 7,
      timestamp: now - hour,
      actions: [at(30 * minute, 'Comment', { userId: 9, message: '```'.repeat(1_000) })],
    },
    {
      ks: 'in-34',
      message: 'Seen in container 34',
      severity: 9,
      timestamp: now - hour,
    },
  ]
}
