// The bot's own figures as `/metrics` has them, and what an expression names that is not among them.
import { readPromQL } from './promql.ts'

/** Of a name, the labels of each of its series. */
export type Figures = ReadonlyMap<string, readonly Readonly<Record<string, string>>[]>

/** What Prometheus adds to each series, and `le` of a histogram. */
const added = ['job', 'instance', 'le']

/** @param text - In the text format of Prometheus. */
export function readFigures(text: string): Figures {
  const figures = new Map<string, Record<string, string>[]>()
  for (const line of text.split('\n')) {
    const [, name = '', labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === '') continue
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [
      label,
      value,
    ])
    figures.set(name, [...(figures.get(name) ?? []), Object.fromEntries(pairs)])
  }
  return figures
}

/** Names, labels and values in an expression that no series has. @param elsewhere - Names of others than the bot. */
export function unknownIn(
  expression: string,
  figures: Figures,
  elsewhere: readonly string[],
): string[] {
  const { selectors, groupedBy } = readPromQL(expression)
  const own = selectors.filter(({ name }) => !elsewhere.includes(name))
  const unknown = own.flatMap(({ name, matchers }) => {
    const series = figures.get(name)
    if (series === undefined) return [name]
    return matchers
      .filter(({ label }) => !added.includes(label))
      .flatMap(({ label, operator, value }) => {
        // What is left out need not have happened.
        const isLeftOut = operator.startsWith('!') && series.some((labels) => label in labels)
        const values = operator.endsWith('~') ? value.split('|') : [value]
        return (isLeftOut ? [] : values)
          .filter(
            (one) => !series.some((labels) => new RegExp(`^${one}$`).test(labels[label] ?? '')),
          )
          .map((one) => `${name}{${label}="${one}"}`)
      })
  })
  const has = (label: string) =>
    added.includes(label) ||
    own.some(({ name }) => figures.get(name)?.some((labels) => label in labels))
  return [...unknown, ...groupedBy.filter((label) => !has(label)).map((label) => `by (${label})`)]
}
