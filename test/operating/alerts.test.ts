// The alert rules and the dashboard: each expression is one that Prometheus reads and asks for what the bot really counts,
// and each alert says what happened, what to do, and where that is explained.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { anchorsIn } from '../documents/markdown.ts'
import { figuresOfABadDay } from './bad-day.ts'
import { type Figures, readFigures, unknownIn } from './figures.ts'
import { readPromQL } from './promql.ts'
import { onShelf, toolOf } from './tools.ts'

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
    runbook: z.string(),
  }),
})
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(ruleSchema).min(1) })).min(1),
})
const targetSchema = z.object({ expr: z.string(), refId: z.string(), legendFormat: z.string() })
const panelSchema = z.object({
  id: z.number(),
  title: z.string().min(3),
  type: z.enum(['row', 'stat', 'timeseries']),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number().min(1), h: z.number().min(1) }),
  datasource: z.object({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) }).optional(),
  targets: z.array(targetSchema).default([]),
})
const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(panelSchema),
})

const readRules = () => rulesSchema.parse(parse(onShelf('alerts.yml'))).groups.flatMap(({ rules }) => rules)
const readDashboard = () => dashboardSchema.parse(JSON.parse(onShelf('dashboard.json')))
/** As Grafana fills them in. */
const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'bellhop')

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

  it('each say what happened, what to do, and where it is explained', () => {
    const sections = anchorsIn(onShelf('alerts.md'))
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/operating/alerts.md#${alert.toLowerCase()}`)
      expect(sections).toContain(alert.toLowerCase())
      expect(annotations.description.length).toBeGreaterThan(40)
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    // And nothing is explained that never fires.
    const explained = [...onShelf('alerts.md').matchAll(/^## (Bellhop\w+)$/gm)].map(([, name]) => name)
    expect(explained.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
  })

  it('wake somebody for what cannot wait until morning, and for nothing else', () => {
    const paged = rules.filter(({ labels }) => labels.severity === 'page').map(({ alert }) => alert)
    expect(
      onShelf('alerts.md')
        .match(/^Pages: (.*?)\.$/ms)?.[1]
        ?.match(/Bellhop\w+/g),
    ).toEqual(paged)
  })

  it('fill in labels that their result has', () => {
    for (const { expr, annotations } of rules) {
      const used = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label)
      const { groupedBy } = readPromQL(expr)
      expect(used.filter((label) => label !== 'instance' && !groupedBy.includes(label ?? ''))).toEqual([])
    }
  })

  const promtool = toolOf('promtool')
  it.skipIf(promtool === undefined)(
    'are taken by promtool, and fire when they should (needs promtool)',
    () => {
      expect(
        execFileSync(promtool ?? '', ['check', 'rules', 'docs/operating/alerts.yml'], { encoding: 'utf8' }),
      ).toContain(`SUCCESS: ${rules.length} rules found`)
      execFileSync(promtool ?? '', ['test', 'rules', 'test/operating/alerts.promtool.yml'], { stdio: 'pipe' })
    },
  )
})

describe('the dashboard', () => {
  const { panels, templating, uid } = readDashboard()
  const withFigures = panels.filter(({ type }) => type !== 'row')

  it('asks for what the bot counts, in each panel', async () => {
    for (const { title, targets, datasource } of withFigures) {
      expect([title, targets.length > 0, datasource !== undefined]).toEqual([title, true, true])
      for (const { expr } of targets) expect([title, await unknown(filled(expr))]).toEqual([title, []])
    }
  })

  it('can be brought into any Grafana: it names no source of data, but lets people choose', () => {
    expect(uid).toBe('bellhop')
    expect(templating.list.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'datasource: datasource',
      'job: query',
    ])
  })

  it('has no panel above another, and each by a number of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, taken.has(`${x},${y}`)]).toEqual([title, false])
          taken.add(`${x},${y}`)
        }
    }
  })

  it('shows every figure of the bot’s own that an alert asks for', () => {
    const namesIn = (exprs: readonly string[]) =>
      exprs.flatMap((expr) => readPromQL(filled(expr)).selectors.map(({ name }) => name))
    const shown = namesIn(withFigures.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    expect(namesIn(readRules().map(({ expr }) => expr)).filter((name) => !shown.includes(name))).toEqual([])
  })
})

describe('a check', () => {
  const few = readFigures('a_total{kind="x",job="b"} 1\na_total{kind="y"} 0\nb_bucket{le="3"} 2\n')

  it('of expressions finds names, labels, values and groups that there are not', () => {
    expect(unknownIn('sum by (kind) (rate(a_total{kind=~"x|y"}[5m])) / on (job) up', few, ['up'])).toEqual([])
    expect(unknownIn('sum by (sort) (a_totl{kind="x"}) + a_total{kind=~"x|z", mood="y"}', few, [])).toEqual([
      'a_totl',
      'a_total{kind="z"}',
      'a_total{mood="y"}',
      'by (sort)',
    ])
  })

  it('of expressions refuses what Prometheus would not read', () => {
    expect(() => readPromQL('sum(rate(a_total[5m])')).toThrow('not PromQL')
    expect(() => readPromQL('rate(a_total[5])) > 1')).toThrow('not PromQL')
  })
})
