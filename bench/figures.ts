// Figures that were measured: values of several rounds, by what they are of and whose they are.

export interface Figure {
  readonly what: string
  readonly who: string
  readonly unit: string
  /** One a round, in the order of the rounds. */
  readonly values: readonly number[]
}

/** What one part of the bench gives. */
export interface Measured {
  readonly part: string
  readonly figures: readonly Figure[]
  /** Sentences that belong to the figures. */
  readonly remarks: readonly string[]
  /** Beside the figures, or in place of them: in Markdown. */
  readonly table?: string
}

/** Collects what a part measures. */
export function takeNotes(part: string) {
  const figures: { readonly what: string; readonly who: string; unit: string; values: number[] }[] =
    []
  const remarks: string[] = []
  return {
    /** @param value - Undefined where it could not be read; then there is no figure. */
    note(what: string, who: string, unit: string, value: number | undefined): void {
      if (value === undefined) return
      const noted = figures.find((one) => one.what === what && one.who === who)
      if (noted === undefined) figures.push({ what, who, unit, values: [value] })
      else noted.values.push(value)
    },
    remark(sentence: string): void {
      remarks.push(sentence)
    },
    measured: (): Measured => ({ part, figures, remarks }),
  }
}

/** The value that this part of all is no greater than. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export const medianOf = (values: readonly number[]) => percentile(values, 0.5)
