// Layout blocks. Source: docs.slack.dev/reference/block-kit/blocks.

import { anyText, id, plainText } from './composition.ts'
import { button, choosers, inputElement, overflow } from './elements.ts'
import { limits } from './limits.ts'
import { richTextElements } from './rich-text.ts'
import {
  boolean,
  byType,
  differIn,
  listOf,
  type Report,
  type Rule,
  type Shape,
  type Surface,
} from './rules.ts'

const ids = { block_id: id }
/** Slack allows an input in an input block alone: the report is told where it is. */
const inInput: Rule = (value, at, report) => inputElement(value, at, { ...report, inInput: true })

const words: Readonly<Record<string, Shape>> = {
  header: { required: { text: plainText(limits.headerText) }, optional: ids },
  divider: { optional: ids },
  context: {
    required: {
      elements: listOf(anyText(limits.sectionText), { max: limits.contextElements }),
    },
    optional: ids,
  },
}

function section(accessories: Readonly<Record<string, Shape>>): Shape {
  return {
    optional: {
      ...ids,
      text: anyText(limits.sectionText),
      fields: listOf(anyText(limits.sectionFieldText), { max: limits.sectionFields }),
      accessory: byType(accessories),
    },
    also: (value, at, report) => {
      if (value.text === undefined && value.fields === undefined) {
        report.fail('must define either `text` or `fields`', at)
      }
    },
  }
}

function actions(elements: Readonly<Record<string, Shape>>): Shape {
  return {
    required: { elements: listOf(byType(elements), { max: limits.actionsElements }) },
    optional: ids,
    also: ({ elements }, at, report) =>
      differIn(elements, 'action_id', `${at}/elements`, report, ' within a block'),
  }
}

const anywhere: Readonly<Record<string, Shape>> = {
  ...words,
  section: section({ button, overflow, ...choosers }),
  actions: actions({ button, overflow, ...choosers }),
  rich_text: { required: { elements: richTextElements }, optional: ids },
  input: {
    required: { label: plainText(limits.inputLabel), element: inInput },
    optional: {
      ...ids,
      hint: plainText(limits.inputHint),
      optional: boolean,
      dispatch_action: boolean,
    },
  },
}

/** Beneath a link there are words and buttons. */
const inUnfurls = { ...words, section: section({ button }), actions: actions({ button }) }

function blockRule(surface: Surface): Rule {
  // An `input` in a message is legal only as a dispatching control; Bellhop has none there, so it is refused.
  const { input, ...rest } = anywhere
  return byType(surface === 'message' || input === undefined ? rest : { ...rest, input })
}

const rules: Readonly<Record<Surface, Rule>> = {
  message: blockRule('message'),
  unfurl: byType(inUnfurls),
  modal: blockRule('modal'),
  home: blockRule('home'),
}

/** Reports everything that Slack would refuse in these blocks. */
export function checkBlocks(blocks: unknown, at: string, report: Report): void {
  const max =
    report.surface === 'modal' || report.surface === 'home'
      ? limits.viewBlocks
      : limits.messageBlocks
  listOf(rules[report.surface], { min: 0, max })(blocks, at, report)
  differIn(blocks, 'block_id', at, report)
  const focused = JSON.stringify(blocks).split('"focus_on_load":true').length - 1
  if (focused > 1) report.fail('only one element may set `focus_on_load`', at)
}

/** What is wrong with a message's blocks, in Slack's words; empty when nothing is. */
export function blockErrors(blocks: unknown): string[] {
  return collect('message', (report) => checkBlocks(blocks, '/blocks', report))
}

export function collect(surface: Surface, check: (report: Report) => void): string[] {
  const errors: string[] = []
  check({
    surface,
    inInput: false,
    fail: (said, at) => errors.push(`${said} [json-pointer:${at}]`),
  })
  return errors
}
