// Answers to `block_suggestion`: what a menu may show while somebody types.
// Source: docs.slack.dev/reference/interaction-payloads/block_suggestion-payload: at most 100 options. Bellhop sends no groups of them.

import { isRecord, type Json, record, records } from '../model/json.ts'
import { collect } from './blocks.ts'
import { option } from './composition.ts'
import { limits } from './limits.ts'
import { listOf, object, type Report, type Rule } from './rules.ts'

/** None is an answer too: the menu says that there are no results. */
const most = { min: 0, max: limits.selectOptions }

const answer: Rule = object({
  required: { options: listOf(option('plain'), most) },
  also: (value, at, report) => valuesDiffer(optionsIn(value), at, report),
})

function valuesDiffer(options: readonly Json[], at: string, report: Report): void {
  const values = options.map(({ value }) => value)
  if (new Set(values).size !== values.length) report.fail('option values must be unique', at)
}

export function optionsIn(given: unknown): readonly Json[] {
  return records(record(given).options)
}

/** What is wrong with an answer, in Slack's words; empty when nothing is. */
export function optionsErrors(given: unknown): string[] {
  if (!isRecord(given)) return ['invalid_response: no options']
  return collect('modal', (report) => answer(given, '', report))
}
