// The alert rules and the dashboard: each expression is one that Prometheus reads and asks for what the bot really counts,
// and each alert says what happened and what to do.
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { figuresOfABadDay } from './bad-day.ts'
import { type Figures, unknownIn } from './figures.ts'
import { readPromQL } from './promql.ts'
import { onShelf } from './tools.ts'

/** Figures that others give: Prometheus itself, and the blackbox exporter where there is one. */
const ofOthers = ['up', 'probe_success']

const ruleSchema = z.strictObject({
  alert: z.string().regex(/^Bellhop[A-Z]\w+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[mh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({
    summary: z.string().regex(/^[A-Z].*[^.]$/),
    description: z.string().regex(/\.$/),
  }),
})
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(ruleSchema).min(1) })).min(1),
})
const targetSchema = z.object({ expr: z.string(), refId: z.string(), legendFormat: z.string() })
const panelSchema = z.object({
  title: z.string().min(3),
  type: z.enum(['row', 'stat', 'timeseries']),
  targets: z.array(targetSchema).default([]),
})
const dashboardSchema = z.object({ panels: z.array(panelSchema) })

const readRules = () =>
  rulesSchema.parse(parse(onShelf('alerts.yml'))).groups.flatMap(({ rules }) => rules)
const readDashboard = () => dashboardSchema.parse(JSON.parse(onShelf('dashboard.json')))
/** As Grafana fills them in. */
const filled = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'bellhop')

let day: Promise<Figures> | undefined
/** One day for all tests; the first that asks plays it. */
function figures(): Promise<Figures> {
  day ??= figuresOfABadDay()
  return day
}

/** What of it nobody has. */
async function unknown(expr: string): Promise<readonly string[]> {
  return unknownIn(expr, await figures(), ofOthers)
}

describe('the alert rules', () => {
  const rules = readRules()

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    'ask for what the bot counts: %s',
    async (_, { expr }) => {
      expect(await unknown(expr)).toEqual([])
      // Another job may have series of these names too.
      for (const { name, matchers } of readPromQL(expr).selectors)
        expect([name, matchers.find(({ label }) => label === 'job')?.value]).toEqual([
          name,
          name === 'probe_success' ? 'bellhop-readyz' : 'bellhop',
        ])
    },
  )

  it('each say what happened, and what to do', () => {
    for (const { annotations } of rules) expect(annotations.description.length).toBeGreaterThan(60)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it('fill in labels that their result has', () => {
    for (const { expr, annotations } of rules) {
      const used = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(
        ([, label]) => label,
      )
      const { groupedBy } = readPromQL(expr)
      expect(
        used.filter((label) => label !== 'instance' && !groupedBy.includes(label ?? '')),
      ).toEqual([])
    }
  })
})

describe('the dashboard', () => {
  const { panels } = readDashboard()
  const withFigures = panels.filter(({ type }) => type !== 'row')

  it('asks for what the bot counts, in each panel', async () => {
    for (const { title, targets } of withFigures) {
      expect([title, targets.length > 0]).toEqual([title, true])
      for (const { expr } of targets)
        expect([title, await unknown(filled(expr))]).toEqual([title, []])
    }
  })

  it('shows every figure of the bot’s own that an alert asks for', () => {
    const namesIn = (exprs: readonly string[]) =>
      exprs.flatMap((expr) => readPromQL(filled(expr)).selectors.map(({ name }) => name))
    const shown = namesIn(withFigures.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    expect(
      namesIn(readRules().map(({ expr }) => expr)).filter((name) => !shown.includes(name)),
    ).toEqual([])
  })
})
