// Flags on demand: the button *Show all*, and the modal that names each flag with what it allows. Pure.
import type { Button, KnownBlock } from '@slack/types'
import type { View } from '../../slack/outbound/message.ts'
import { plain } from '../../slack/text/mrkdwn.ts'
import { type Flag, flagGroups, flagMeanings, isFlag, sensitiveFlags } from '../flags.ts'
import { type Roles, roleWords } from '../roles.ts'
import { mostNamed } from './wish.ts'

/** Action id of the button. Its value names the flags that its message counts: they grant nothing by being there. */
export const showAllAction = 'grant.show-all'

/** Nothing where the message names every flag itself. */
export function showAllButtons(permissions: readonly Flag[]): readonly Button[] {
  if (permissions.length <= mostNamed) return []
  return [{ type: 'button', action_id: showAllAction, text: plain('Show all'), value: permissions.join(',') }]
}

/** @param value - The button's. What it holds besides flags is left out. */
export function allFlagsModal(value: string, roles: Roles): View {
  const permissions = value.split(',').filter(isFlag)
  return {
    type: 'modal',
    title: plain('Flags'),
    close: plain('Close'),
    blocks: [
      { type: 'section', text: plain(roleWords(permissions, roles)) },
      ...flagGroups.flatMap((group) => groupBlocks(group.label, group.flags, permissions)),
    ],
  }
}

function groupBlocks(label: string, flags: readonly Flag[], permissions: readonly Flag[]): KnownBlock[] {
  const shown = flags.filter((flag) => permissions.includes(flag))
  if (shown.length === 0) return []
  const line = (flag: Flag) => ({
    type: 'rich_text_section' as const,
    elements: [
      { type: 'text' as const, text: flagMeanings[flag] },
      { type: 'text' as const, text: ' ' },
      { type: 'text' as const, text: flag, style: { code: true } },
      ...(sensitiveFlags.has(flag) ? [{ type: 'text' as const, text: ' · sensitive' }] : []),
    ],
  })
  return [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [{ type: 'text', text: label, style: { bold: true } }],
        },
        { type: 'rich_text_list', style: 'bullet', elements: shown.map(line) },
      ],
    },
  ]
}
