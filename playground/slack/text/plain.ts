// Messages and views as the plain text that a person reads: no markup, dates by their fallback.

import { tokensOf } from '../check/mrkdwn.ts'
import { type Json, record, records, text } from '../model/json.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { userGroupName } from './user-groups.ts'

/** mrkdwn without its markup. */
export function plainMrkdwn(source: string, workspace: Workspace): string {
  let plain = source
  for (const { kind, target, label, raw } of tokensOf(source)) {
    plain = plain.replace(raw, () => label ?? named(kind, target, workspace))
  }
  plain = plain
    .replace(/```\n?([\s\S]*?)\n?```/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])/g, '$1')
    .replace(/(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])/g, '$1')
  return unescaped(plain)
}

function named(kind: string, target: string, workspace: Workspace): string {
  const id = target.slice(1)
  if (kind === 'user') return `@${workspace.members.get(id)?.name ?? id}`
  if (kind === 'channel') return `#${workspace.channels.get(id)?.name ?? id}`
  return kind === 'special' ? target.replace('!', '@') : target.replace(/^mailto:/, '')
}

/** `&amp;`, `&lt;`, `&gt;` as the characters they stand for. */
export function unescaped(source: string): string {
  return source.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** A text object, whichever kind. */
export function plainText(object: unknown, workspace: Workspace): string {
  const { type, text: content } = record(object)
  if (typeof content !== 'string') return ''
  return type === 'mrkdwn' ? plainMrkdwn(content, workspace) : content
}

/** The label that stands on a button, or the words shown on another control. */
export function controlLabel(element: Json, workspace: Workspace): string {
  return plainText(element.text ?? element.placeholder, workspace)
}

/** @param shown - What stands in a control that holds a value, by block and action id. */
export function plainBlocks(
  blocks: readonly Json[],
  workspace: Workspace,
  shown: (blockId: string, element: Json) => string = () => '',
): string {
  return blocks.map((block) => plainBlock(block, workspace, shown)).join('\n')
}

function plainBlock(
  block: Json,
  workspace: Workspace,
  shown: (id: string, element: Json) => string,
): string {
  const blockId = text(block.block_id) ?? ''
  const control = (element: Json) => plainControl(element, workspace, shown(blockId, element))
  const lines = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n')
  switch (block.type) {
    case 'section':
      return lines([
        plainText(block.text, workspace),
        ...records(block.fields).map((field) => plainText(field, workspace)),
        block.accessory === undefined ? '' : control(record(block.accessory)),
      ])
    case 'header':
      return plainText(block.text, workspace)
    case 'divider':
      return '---'
    case 'context':
      return records(block.elements)
        .map((element) => plainText(element, workspace))
        .join('  ')
    case 'actions':
      return records(block.elements).map(control).join(' ')
    case 'rich_text':
      return plainRichText(block, workspace)
    case 'input':
      return lines([
        `${plainText(block.label, workspace)}${block.optional === true ? ' (optional)' : ''}: ${control(record(block.element))}`,
        plainText(block.hint, workspace),
      ])
    default:
      return ''
  }
}

function plainControl(element: Json, workspace: Workspace, value: string): string {
  if (element.type === 'button') return `[${controlLabel(element, workspace)}]`
  if (element.type === 'overflow') {
    return `[… ${records(element.options)
      .map((one) => plainText(one.text, workspace))
      .join(' / ')}]`
  }
  return `(${value || controlLabel(element, workspace)})`
}

/** A rich_text block, line by line. */
function plainRichText(block: Json, workspace: Workspace): string {
  return records(block.elements)
    .map((part) => {
      if (part.type !== 'rich_text_list') return inline(part, workspace)
      return records(part.elements)
        .map((item) => `• ${inline(item, workspace)}`)
        .join('\n')
    })
    .join('\n')
    .trimEnd()
}

function inline(part: Json, workspace: Workspace): string {
  return records(part.elements)
    .map((element) => {
      switch (element.type) {
        case 'link':
          return text(element.text) || (text(element.url) ?? '')
        case 'user':
          return named('user', `@${text(element.user_id)}`, workspace)
        case 'usergroup':
          return userGroupName(text(element.usergroup_id) ?? '')
        case 'channel':
          return named('channel', `#${text(element.channel_id)}`, workspace)
        case 'broadcast':
          return `@${text(element.range)}`
        case 'date':
          return text(element.fallback) ?? new Date(Number(element.timestamp) * 1000).toISOString()
        default:
          return text(element.text) ?? ''
      }
    })
    .join('')
}
