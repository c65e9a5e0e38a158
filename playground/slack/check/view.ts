// Views: modals and the Home tab. Source: docs.slack.dev/reference/views.

import { list, record } from '../model/json.ts'
import { checkBlocks, collect } from './blocks.ts'
import { plainText } from './composition.ts'
import { limits } from './limits.ts'
import { byType, type Shape, string } from './rules.ts'

const common = {
  private_metadata: string({ min: 0, max: limits.privateMetadata }),
  callback_id: string({ min: 0, max: limits.id }),
}

const modal: Shape = {
  required: { title: plainText(limits.viewTitle), blocks: checkBlocks },
  optional: {
    ...common,
    submit: plainText(limits.viewButton),
    close: plainText(limits.viewButton),
  },
  also: (value, at, report) => {
    if (value.submit !== undefined) return
    list(value.blocks).forEach((block, index) => {
      if (record(block).type === 'input') {
        report.fail('must define `submit` to use `input` block', `${at}/blocks/${index}/input`)
      }
    })
  },
}

const home: Shape = { required: { blocks: checkBlocks }, optional: common }

/** What is wrong with a view, in Slack's words; empty when nothing is. */
export function viewErrors(view: unknown, surface: 'modal' | 'home'): string[] {
  const rule = byType(surface === 'modal' ? { modal } : { home })
  return collect(surface, (report) => rule(view, '/view', report))
}
