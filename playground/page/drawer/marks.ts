// The marks of alerts in the sidebar: those of Bellhop's cards, which the page cannot import.
import type { AlertState } from '../state/state.ts'

/** By level, the highest severity first. */
const marks: readonly string[] = ['🚨', '🟣', '🔴', '🟠', '🟡', '🔵', '⚪', '⚫']

/** @returns As a card has it; a severity outside the contract has a mark of its own. */
export function markOf({ isClosed, severity }: Pick<AlertState, 'isClosed' | 'severity'>): string {
  return isClosed ? '✅' : (marks[severity] ?? '🟤')
}
