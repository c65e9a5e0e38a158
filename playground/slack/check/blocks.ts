// Layout blocks. Source: docs.slack.dev/reference/block-kit/blocks.
import { limits } from '../../../src/slack/text/limits.ts'
import { isRecord, list, record } from '../model/json.ts'
import { anyText, id, plainText } from './composition.ts'
import { actionIdsDiffer, button, choosers, inputElement, overflow } from './elements.ts'
import { richTextElements } from './rich-text.ts'
import {
  boolean,
  byType,
  integer,
  listOf,
  object,
  oneOf,
  type Report,
  type Rule,
  type Shape,
  type Surface,
  string,
  url,
} from './rules.ts'

/** All `markdown` blocks of a message together. Source: docs.slack.dev/reference/block-kit/blocks/markdown-block. */
const MARKDOWN_TOTAL = 12_000
const ALT_TEXT = 2_000

const ids = { block_id: id }
const file = object({ optional: { id: string(), url: url(limits.buttonUrl) } })
const image: Shape = {
  required: { alt_text: string({ max: ALT_TEXT }) },
  optional: { image_url: url(limits.buttonUrl), slack_file: file },
  also: (value, at, report) => {
    if ((value.image_url === undefined) === (value.slack_file === undefined)) {
      report.fail('must define either `image_url` or `slack_file`', at)
    }
  },
}

/** Slack allows an input in an input block alone: the report is told where it is. */
const inInput: Rule = (value, at, report) => inputElement(value, at, { ...report, inInput: true })

const cell = byType({
  raw_text: { required: { text: string() } },
  raw_number: { required: { value: integer(), text: string() } },
  rich_text: { required: { elements: richTextElements }, optional: ids },
})

const words: Readonly<Record<string, Shape>> = {
  header: { required: { text: plainText(limits.headerText) }, optional: ids },
  divider: { optional: ids },
  context: {
    required: {
      elements: listOf(contextElement(), { max: limits.contextElements }),
    },
    optional: ids,
  },
  image: { ...image, optional: { ...image.optional, ...ids, title: plainText(ALT_TEXT) } },
}

function section(accessories: Readonly<Record<string, Shape>>): Shape {
  return {
    optional: {
      ...ids,
      text: anyText(limits.sectionText),
      fields: listOf(anyText(limits.sectionFieldText), { max: limits.sectionFields }),
      accessory: byType(accessories),
      expand: boolean,
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
    also: (value, at, report) => actionIdsDiffer(value.elements, `${at}/elements`, report.fail),
  }
}

const anywhere: Readonly<Record<string, Shape>> = {
  ...words,
  section: section({ button, overflow, image, ...choosers }),
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

const messagesOnly: Readonly<Record<string, Shape>> = {
  markdown: { required: { text: string({ max: MARKDOWN_TOTAL }) }, optional: ids },
  table: {
    required: { rows: listOf(listOf(cell, { max: 20 }), { max: 100 }) },
    optional: {
      ...ids,
      column_settings: listOf(
        object({ optional: { align: oneOf(['left', 'center', 'right']), is_wrapped: boolean } }),
      ),
    },
  },
}

const modalsOnly: Readonly<Record<string, Shape>> = {
  alert: {
    required: { text: anyText(limits.sectionText) },
    optional: { ...ids, level: oneOf(['default', 'info', 'warning', 'error', 'success']) },
  },
}

/** Beneath a link there are words, pictures and buttons. */
const inUnfurls = { ...words, section: section({ button, image }), actions: actions({ button }) }

function contextElement(): Rule {
  const words = anyText(limits.sectionText)
  const picture = byType({ image })
  return (value, at, report) => (record(value).type === 'image' ? picture : words)(value, at, report)
}

function blockRule(surface: Surface): Rule {
  // An `input` in a message is legal only as a dispatching control; Bellhop has none there, so it is refused.
  const { input, ...rest } = anywhere
  if (surface === 'message') return byType({ ...rest, ...messagesOnly })
  const forms: Readonly<Record<string, Shape>> = input ? { ...rest, input } : rest
  return byType(surface === 'modal' ? { ...forms, ...modalsOnly } : forms)
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
    report.surface === 'modal' || report.surface === 'home' ? limits.viewBlocks : limits.messageBlocks
  listOf(rules[report.surface], { min: 0, max })(blocks, at, report)
  const seen = new Set<unknown>()
  list(blocks).forEach((block, index) => {
    const blockId = isRecord(block) ? block.block_id : undefined
    if (blockId === undefined) return
    if (seen.has(blockId)) report.fail('`block_id` must be unique', `${at}/${index}/block_id`)
    seen.add(blockId)
  })
  checkTogether(list(blocks).map(record), at, report)
}

function checkTogether(
  blocks: readonly Readonly<Record<string, unknown>>[],
  at: string,
  report: Report,
): void {
  const markdown = blocks.filter((block) => block.type === 'markdown')
  const total = markdown.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0)
  if (total > MARKDOWN_TOTAL) report.fail(`must be less than ${MARKDOWN_TOTAL + 1} characters`, at)
  if (blocks.filter((block) => block.type === 'table').length > 1) {
    report.fail('only one table is allowed in a message', at)
  }
  const focused = JSON.stringify(blocks).split('"focus_on_load":true').length - 1
  if (focused > 1) report.fail('only one element may set `focus_on_load`', at)
}

/** What is wrong with a message's blocks, in Slack's words; empty when nothing is. */
export function blockErrors(blocks: unknown): string[] {
  return collect('message', (report) => checkBlocks(blocks, '/blocks', report))
}

export function collect(surface: Surface, check: (report: Report) => void): string[] {
  const errors: string[] = []
  check({ surface, inInput: false, fail: (said, at) => errors.push(`${said} [json-pointer:${at}]`) })
  return errors
}
