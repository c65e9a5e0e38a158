// The alerts of the seed that a day on call could bring. Data only.
import type { NewAction, NewAlert } from '../alerts.ts'

const minute = 60
const hour = 60 * minute

/** @param now - Unix seconds. */
export function believableAlerts(now: number): readonly NewAlert[] {
  const at = (secondsAgo: number, kind: string, data: NewAction['data'] = null): NewAction => ({
    kind,
    timestamp: now - secondsAgo,
    data,
  })
  return [
    {
      ks: 'disk-full',
      link: { conditionId: 4, item: '/var' },
      message: 'Disk /var is 91 % full',
      severity: 4,
      timestamp: now - 2 * hour,
      lastMessage: 'Disk /var is 96 % full',
      lastSeverity: 2,
      lastTimestamp: now - 3 * minute,
      ownerId: 7,
      actions: [
        at(115 * minute, 'Assign', { userId: 7, ownerId: 7, message: 'I take this one.' }),
        at(100 * minute, 'Comment', { userId: 7, message: 'Old logs, rotating them now.' }),
        at(40 * minute, 'IntegrationCall', { integration: 'ticket', reference: 'OPS-1290' }),
      ],
    },
    {
      ks: 'web server 503',
      message: 'shop.example.com answers 503',
      severity: 0,
      timestamp: now - 9 * minute,
      lastTimestamp: now - minute,
    },
    {
      ks: 'one-hit',
      message: 'Certificate expires in 6 days',
      severity: 5,
      timestamp: now - 20 * minute,
    },
    {
      ks: 'replica-lag',
      message: 'db-02 lags by 4 minutes',
      severity: 4,
      timestamp: now - 50 * minute,
      lastMessage: 'db-02 lags by 11 minutes',
      lastSeverity: 3,
      lastTimestamp: now - 2 * minute,
    },
    {
      ks: 'backup-missed',
      message: 'No backup of db-01 for 26 hours',
      severity: 3,
      timestamp: now - 9 * hour,
      closedTimestamp: now - hour,
      actions: [
        at(8 * hour, 'Assign', { userId: 9, ownerId: 9, message: 'I start it by hand.' }),
        at(hour, 'Close', { userId: 9, message: 'The backup is complete.' }),
      ],
      ownerId: 9,
    },
  ]
}

const troubles = [
  ['http', 'The website answers no more', 1],
  ['disk', 'Usage of C: is 97 %', 2],
  ['queue', '4,000 mails are waiting', 3],
  ['clock', 'The clock is 90 seconds late', 5],
  ['cpu', 'All cores are busy', 4],
] as const

/** One that opens now. Its message doesn’t say on which machine. @param number - From 1. */
export function newAlert(number: number): NewAlert {
  const [check, message, severity] = troubles[number % troubles.length] ?? troubles[0]
  return { ks: `${check}-${number}`, message, severity }
}
