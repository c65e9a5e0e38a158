// Interactive elements: buttons, menus, pickers, inputs. Source: docs.slack.dev/reference/block-kit/block-elements.

import {
  confirm,
  id,
  initialsAreOffered,
  option,
  overflowOption,
  plainText,
  style,
} from './composition.ts'
import { limits } from './limits.ts'
import {
  boolean,
  byType,
  integer,
  listOf,
  object,
  oneOf,
  type Rule,
  type Shape,
  string,
  url,
} from './rules.ts'

const action = { action_id: id }
const confirmed = { ...action, confirm }
const focused = { ...confirmed, focus_on_load: boolean }
const menu = { ...focused, placeholder: plainText(limits.placeholder) }

/** Legal only where a person submits: in a modal's input block. */
const responseUrlEnabled: Rule = (value, at, report) => {
  boolean(value, at, report)
  if (value === true && (report.surface !== 'modal' || !report.inInput)) {
    report.fail('`response_url_enabled` is only allowed in modal input blocks', at)
  }
}

const filter = object({
  optional: {
    include: listOf(oneOf(['im', 'mpim', 'private', 'public'])),
    exclude_external_shared_channels: boolean,
  },
  also: (value, at, report) => {
    if (Object.keys(value).length === 0) report.fail('must define at least one field', at)
  },
})

const lengths = {
  ...action,
  focus_on_load: boolean,
  placeholder: plainText(limits.placeholder),
  initial_value: string({ max: limits.plainTextInput }),
}

export const button: Shape = {
  required: { text: plainText(limits.buttonText) },
  optional: {
    ...confirmed,
    // Empty, it is refused: slackapi/python-slack-sdk#562, #563.
    value: string({ max: limits.buttonValue }),
    url: url(limits.buttonUrl),
    style,
  },
}

/** Stricter than Slack was seen to be of late: one option has passed, but its references ask for two. */
export const overflow: Shape = {
  required: {
    options: listOf(overflowOption, {
      min: limits.leastOverflowOptions,
      max: limits.overflowOptions,
    }),
  },
  optional: confirmed,
}

/** Menus and pickers, which may stand in actions, sections and inputs. */
export const choosers: Readonly<Record<string, Shape>> = {
  static_select: {
    required: { options: listOf(option('plain'), { max: limits.selectOptions }) },
    optional: { ...menu, initial_option: option('plain') },
    also: initialsAreOffered,
  },
  external_select: {
    optional: { ...menu, initial_option: option('plain'), min_query_length: integer({ min: 0 }) },
  },
  conversations_select: {
    optional: {
      ...menu,
      default_to_current_conversation: boolean,
      response_url_enabled: responseUrlEnabled,
      filter,
    },
  },
  checkboxes: {
    required: { options: listOf(option('any'), { max: limits.checkboxOptions }) },
    optional: { ...focused, initial_options: listOf(option('any')) },
    also: initialsAreOffered,
  },
}

/** What only an input block may hold. */
const inputs: Readonly<Record<string, Shape>> = {
  plain_text_input: {
    optional: {
      ...lengths,
      multiline: boolean,
      max_length: integer({ min: 1, max: limits.plainTextInput }),
    },
    also: (value, at, report) => {
      const { initial_value: initial, max_length: max } = value
      if (typeof initial === 'string' && typeof max === 'number' && initial.length > max) {
        report.fail(`must be less than ${max + 1} characters`, `${at}/initial_value`)
      }
    },
  },
}

export const inputElement = byType({ ...choosers, ...inputs })
