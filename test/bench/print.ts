// Figures as a table for a terminal.
import type { Benched } from './bench.ts'
import { atATime } from './load.ts'
import { isTold } from './process-figures.ts'

/** Three digits that mean something: 0.52, 5.21, 52.1, 521. */
function digits(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
}

export function print({ plan, latency, machine, figures, counts }: Benched): string {
  const rows = figures.map(({ name, unit, median, lowest, highest, values }) => [
    name,
    digits(median),
    unit,
    values === 1 ? '' : `${digits(lowest)} – ${digits(highest)}`,
    String(values),
  ])
  const table = [['', 'median', '', 'lowest – highest', 'of'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const isRight = [false, true, false, true, true]
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell[isRight[column] ? 'padStart' : 'padEnd'](widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const { cores, cpu, node, platform } = machine
  return [
    `Node ${node}, ${platform}, ${cores} cores (${cpu}); SQLite, signed HTTP, ${atATime} at a time`,
    `${plan.rounds} rounds: ${counts.acks} acks, ${counts.commands} commands, every card and reply there once`,
    '',
    ...lines,
    '',
    `With latency, Slack takes ${latency.slackMs} ms for a message and the service ${latency.serviceMs} ms for an alert.`,
    'Load and stand-ins share one process beside the bot; where they cost more CPU, they bound what is done a second.',
    ...(isTold ? [] : ['CPU and memory of the bot are left out: this system has no /proc.']),
  ].join('\n')
}
