// Reads an expression of PromQL with the grammar of the Prometheus project: what it selects, and by what it groups.
import { parser } from '@prometheus-io/lezer-promql'

export interface Matcher {
  readonly label: string
  readonly operator: string
  readonly value: string
}

export interface Selector {
  readonly name: string
  readonly matchers: readonly Matcher[]
}

export interface Expression {
  readonly selectors: readonly Selector[]
  /** Labels that are named outside of selectors, as in `sum by (kind)`. */
  readonly groupedBy: readonly string[]
}

/** @throws Error for what Prometheus would not read. */
export function readPromQL(text: string): Expression {
  const selectors: { name: string; matchers: Matcher[] }[] = []
  const groupedBy: string[] = []
  let matcher: { label: string; operator: string } | undefined
  let isGrouping = false
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      const said = text.slice(from, to)
      if (type.isError)
        throw new Error(`not PromQL at ${from}, “${text.slice(from, from + 20)}”: ${text}`)
      if (name === 'VectorSelector') selectors.push({ name: '', matchers: [] })
      const last = selectors.at(-1)
      if (name === 'Identifier' && last !== undefined) last.name = said
      if (name === 'GroupingLabels') isGrouping = true
      if (name === 'LabelName' && isGrouping) groupedBy.push(said)
      else if (name === 'LabelName') matcher = { label: said, operator: '' }
      if (name === 'MatchOp' && matcher !== undefined) matcher.operator = said
      if (name === 'StringLiteral' && matcher !== undefined) {
        last?.matchers.push({ ...matcher, value: said.slice(1, -1) })
        matcher = undefined
      }
    },
    leave({ name }) {
      if (name === 'GroupingLabels') isGrouping = false
    },
  })
  return { selectors, groupedBy }
}
