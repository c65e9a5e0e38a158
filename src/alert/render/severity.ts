// Severities as people see them: a mark for the eye, and always the word beside it. Pure.

/** Eight names of the operator’s, the highest severity first. */
export interface SeverityNames {
  readonly severityNames: readonly string[]
}

/** As Slack shows them to everybody alike, by level. */
const marks: readonly string[] = ['🚨', '🟥', '🔴', '🟠', '🟡', '🔵', 'ℹ️', '⚙️']
/** Of a severity outside the contract. */
const oddMark = '🟣'
/** Of an alert that is closed, whatever its severity was. */
export const closedMark = '✅'

/** “🔴” for 2. Never alone: `severityWords` has the word. @param level - 0 is the highest and 7 the lowest. */
export function severityMark(level: number): string {
  return marks[level] ?? oddMark
}

/** “CRITICAL”, as the operator calls it; a severity outside the contract goes by its number. Raw. */
export function severityName({ severityNames }: SeverityNames, level: number): string {
  return severityNames[level] ?? `severity ${level}`
}

/** “🔴 CRITICAL”. Raw. */
export function severityWords(settings: SeverityNames, level: number): string {
  return `${severityMark(level)} ${severityName(settings, level)}`
}
