// Composition objects: texts, options, confirmations. Source: docs.slack.dev/reference/block-kit/composition-objects.

import { list, record } from '../model/json.ts'
import { limits } from './limits.ts'
import { malformedToken } from './mrkdwn.ts'
import { boolean, byType, object, oneOf, type Rule, type Shape, string, url } from './rules.ts'

function plainShape(max: number): Shape {
  return { required: { text: string({ max, isEscaped: true }) }, optional: { emoji: boolean } }
}

function mrkdwnShape(max: number): Shape {
  const length = string({ max })
  return {
    required: {
      text: (value, at, report) => {
        length(value, at, report)
        const bad = typeof value === 'string' ? malformedToken(value) : undefined
        if (bad !== undefined) report.fail(`must be escaped or a known token: ${bad}`, at)
      },
    },
    optional: { verbatim: boolean },
  }
}

export function plainText(max: number): Rule {
  return byType({ plain_text: plainShape(max) })
}

export function anyText(max: number): Rule {
  return byType({ plain_text: plainShape(max), mrkdwn: mrkdwnShape(max) })
}

export const id = string({ max: limits.id })
export const style = oneOf(['primary', 'danger'])

export const confirm = object({
  required: {
    title: plainText(limits.confirmTitle),
    text: anyText(limits.confirmText),
    confirm: plainText(limits.confirmButton),
    deny: plainText(limits.confirmButton),
  },
  optional: { style },
})

export function option(kind: 'plain' | 'any', extra: Readonly<Record<string, Rule>> = {}): Rule {
  const words = kind === 'plain' ? plainText : anyText
  return object({
    required: { text: words(limits.optionText), value: string({ max: limits.optionValue }) },
    optional: { description: words(limits.optionDescription), ...extra },
  })
}

export const overflowOption = option('plain', { url: url(limits.buttonUrl) })

/** Two options are the same when their values and texts are. */
function sameOption(a: unknown, b: unknown): boolean {
  const [one, other] = [record(a), record(b)]
  return one.value === other.value && record(one.text).text === record(other.text).text
}

/** Initial options must be among the options, exactly as these are written. */
export const initialsAreOffered: NonNullable<Shape['also']> = (value, at, report) => {
  const offered = list(value.options)
  const isOffered = (initial: unknown) =>
    offered.some((candidate) => sameOption(candidate, initial))
  if (value.initial_option !== undefined && !isOffered(value.initial_option)) {
    report.fail('must match one of the options', `${at}/initial_option`)
  }
  list(value.initial_options).forEach((initial, index) => {
    if (!isOffered(initial))
      report.fail('must match one of the options', `${at}/initial_options/${index}`)
  })
  const values = offered.map((one) => record(one).value)
  if (new Set(values).size !== values.length)
    report.fail('option values must be unique', `${at}/options`)
}
