// Each thing that is told is counted once, under labels of which there are few, whatever a service answers.
import { expect, it } from 'vitest'
import { ackSeconds, openFigures } from '../../src/metrics/metrics.ts'
import { timed } from '../../src/monitor/call.ts'

function open() {
  const figures = openFigures({
    bellhop_service_unreachable: () => ({ dns: false }),
    bellhop_bot_tokens_refused: () => 0,
    bellhop_storage_unwritable: async () => true,
    bellhop_audit_waiting: () => 2,
    bellhop_log_lines_dropped_total: () => 7,
    bellhop_live_cards: async () => 5,
    bellhop_live_cards_overdue: () => Promise.reject(new Error('the database is away')),
    bellhop_ends_overdue: () => 0,
    bellhop_maintenance_overdue: () => 0,
    bellhop_follows: async () => ({ read: 2, lost: 1 }),
    bellhop_follow_age_seconds: async () => 12,
  })
  /** Samples of a name, without buckets. */
  async function samples(name: string): Promise<readonly string[]> {
    const lines = (await figures.text()).split('\n')
    return lines.filter((line) => line.startsWith(name) && !line.includes('_bucket{')).toSorted()
  }
  return { samples }
}

it('has a label for each status, and one for no answer', async () => {
  const { samples } = open()
  for (const status of [200, 503, undefined]) timed('read_alert', undefined)(status)
  const counts = await samples('bellhop_service_seconds_count')
  expect(counts.map((line) => /status="(\w+)"/.exec(line)?.[1])).toEqual(['200', '503', 'none'])
})

it('tells times in seconds, and what is as of now; what it cannot read keeps nothing else', async () => {
  const { samples } = open()
  ackSeconds.observe({ kind: 'command' }, 1.5)
  expect(await samples('bellhop_ack_seconds_sum')).toEqual([
    'bellhop_ack_seconds_sum{kind="command"} 1.5',
  ])
  expect(await samples('bellhop_audit_waiting')).toEqual(['bellhop_audit_waiting 2'])
  expect(await samples('bellhop_live_cards')).toEqual([
    'bellhop_live_cards 5',
    'bellhop_live_cards_overdue Nan',
  ])
})
