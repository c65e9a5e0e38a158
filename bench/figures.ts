// Figures that were measured, and how they compare: values of several rounds, by what they are of and whose they are.

/** Of one bot. */
export interface Figure {
  readonly what: string
  readonly who: string
  readonly unit: string
  /** One a round, in the order of the rounds. */
  readonly values: readonly number[]
}

export interface Goal {
  readonly sense: 'at least' | 'at most'
  readonly value: number
}

/** Bellhop beside something: another bot in the same round, or a goal alone. */
export interface Comparison {
  readonly what: string
  readonly unit: string
  readonly values: readonly number[]
  readonly goal: Goal | undefined
}

/** What one part of the bench gives. */
export interface Measured {
  readonly part: string
  readonly figures: readonly Figure[]
  readonly comparisons: readonly Comparison[]
  /** Sentences that belong to the figures. */
  readonly remarks: readonly string[]
}

export const atLeast = (value: number): Goal => ({ sense: 'at least', value })
export const atMost = (value: number): Goal => ({ sense: 'at most', value })

export type Notes = ReturnType<typeof takeNotes>

/** Collects what a part measures. */
export function takeNotes(part: string) {
  const figures: { readonly what: string; readonly who: string; unit: string; values: number[] }[] = []
  const comparisons: Comparison[] = []
  const remarks: string[] = []

  const find = (what: string, who: string) => figures.find((one) => one.what === what && one.who === who)
  const valuesOf = (what: string, who: string): readonly number[] => find(what, who)?.values ?? []

  return {
    /** @param value - Undefined where it could not be read; then there is no figure. */
    note(what: string, who: string, unit: string, value: number | undefined): void {
      if (value === undefined) return
      const noted = find(what, who)
      if (noted === undefined) figures.push({ what, who, unit, values: [value] })
      else noted.values.push(value)
    },
    /** One bot's values by another's, round by round. Without values there is no comparison. */
    divide(what: string, who: string, by: string, goal?: Goal): void {
      const others = valuesOf(what, by)
      const values = valuesOf(what, who).flatMap((value, round) => {
        const other = others[round]
        return other === undefined ? [] : [value / other]
      })
      if (values.length > 0) comparisons.push({ what: `${what}: ${who} ÷ ${by}`, unit: '×', values, goal })
    },
    /** One bot's values as they are. @param by - What they are divided by. */
    judge(
      what: string,
      who: string,
      goal: Goal,
      by?: { readonly words: string; readonly value: number },
    ): void {
      const values = valuesOf(what, who).map((value) => value / (by?.value ?? 1))
      const unit = by === undefined ? (find(what, who)?.unit ?? '') : '×'
      const words = by === undefined ? what : `${what} ÷ ${by.words}`
      if (values.length > 0) comparisons.push({ what: words, unit, values, goal })
    },
    compare(comparison: Comparison): void {
      comparisons.push(comparison)
    },
    remark(sentence: string): void {
      remarks.push(sentence)
    },
    measured: (): Measured => ({ part, figures, comparisons, remarks }),
  }
}

/** The value that this part of all is no greater than. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export interface Summary {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

export function summarize(values: readonly number[]): Summary {
  return { median: percentile(values, 0.5), lowest: Math.min(...values), highest: Math.max(...values) }
}

/** How far the median is on the wrong side of the goal, as a part of the goal; 0 when it is reached. */
export function missedBy({ values, goal }: Comparison): number {
  if (goal === undefined) return 0
  const { median } = summarize(values)
  const over = goal.sense === 'at most' ? median - goal.value : goal.value - median
  return over <= 0 ? 0 : goal.value === 0 ? over : over / goal.value
}
