// Each thing that is told is counted once, under labels of which there are few, whatever a service answers.
import { expect, it } from 'vitest'
import { createMetrics } from '../../src/metrics/metrics.ts'

function open() {
  const metrics = createMetrics({
    signaturesRefused: () => ({ headers: 4, clock: 0, secret: 6 }),
    signaturesRefusedInARow: () => 6,
    serviceUnreachable: () => undefined,
    botTokensRefused: () => 0,
    storageFailures: () => ({ full: 2, unreachable: 0, other: 1 }),
    storageUnwritable: async () => true,
    workUnderWay: () => 3,
    processes: () => 2,
    auditWaiting: () => 2,
    logLinesDropped: () => 7,
    liveCards: async () => 5,
    cardsBehind: async () => ({ overdue: 1, oldestMs: 90_500 }),
  })
  /** Samples of a name, without buckets. */
  async function samples(name: string): Promise<readonly string[]> {
    const lines = (await metrics.text()).split('\n')
    return lines.filter((line) => line.startsWith(name) && !line.includes('_bucket{')).toSorted()
  }
  return { metrics, samples }
}

it('has a label for each status that the contract names, and one for each hundred of others', async () => {
  const { metrics, samples } = open()
  for (let status = 0; status < 1_000; status += 1) metrics.monitor.answered('read_alert', status, 1)
  metrics.monitor.answered('read_alert', undefined, 1)
  const counts = await samples('bellhop_service_seconds_count')
  const statuses = counts.map((line) => /status="(\w+)"/.exec(line)?.[1])
  expect(statuses.toSorted()).toEqual(
    '1xx 200 204 2xx 3xx 400 401 403 404 429 4xx 5xx none other'.split(' ').toSorted(),
  )
})

it('counts who was asked to wait, by whom, also where that never happened', async () => {
  const { metrics, samples } = open()
  const limited = (...amounts: number[]) =>
    ['busy', 'person', 'service', 'slack'].map(
      (by, at) => `bellhop_rate_limited_total{by="${by}"} ${amounts[at]}`,
    )
  expect(await samples('bellhop_rate_limited_total')).toEqual(limited(0, 0, 0, 0))
  metrics.slack.heldBack('busy')
  for (let times = 0; times < 2; times += 1) metrics.slack.heldBack('person')
  for (const status of [429, 429, 429, 503]) metrics.monitor.answered('try_token', status, 1)
  for (const status of ['429', '429', '429', '429', '5xx', 'ok'] as const)
    metrics.slack.called('chat.update', status, 1)
  expect(await samples('bellhop_rate_limited_total')).toEqual(limited(1, 2, 3, 4))
})

it('counts what was done once more, by what it was', async () => {
  const { metrics, samples } = open()
  metrics.slack.triedAgain('event')
  for (let times = 0; times < 2; times += 1) metrics.monitor.triedAgain()
  for (let times = 0; times < 3; times += 1) metrics.slack.triedAgain('slack')
  expect(await samples('bellhop_retries_total')).toEqual([
    'bellhop_retries_total{what="event"} 1',
    'bellhop_retries_total{what="service"} 2',
    'bellhop_retries_total{what="slack"} 3',
  ])
})

it('tells times in seconds, and what is as of now', async () => {
  const { metrics, samples } = open()
  metrics.slack.acked('command', 1_500)
  metrics.slack.called('views.open', 'ok', 250)
  metrics.monitor.answered('probe', 401, 125)
  expect(await samples('bellhop_ack_seconds_sum')).toEqual(['bellhop_ack_seconds_sum{kind="command"} 1.5'])
  expect(await samples('bellhop_slack_seconds_sum')).toEqual([
    'bellhop_slack_seconds_sum{method="views.open",status="ok"} 0.25',
  ])
  expect(await samples('bellhop_service_seconds_sum')).toEqual([
    'bellhop_service_seconds_sum{operation="probe",status="401"} 0.125',
  ])
  const lines = [
    'bellhop_work_under_way 3',
    'bellhop_processes 2',
    'bellhop_audit_waiting 2',
    'bellhop_live_cards 5',
    'bellhop_live_cards_overdue 1',
    'bellhop_live_cards_oldest_look_seconds 90.5',
  ]
  for (const line of lines) {
    const [name = ''] = line.split(' ')
    expect(await samples(`${name} `)).toEqual([line])
  }
})
