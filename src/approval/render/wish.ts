// The access that a request asks for, on the card, in the modals and in words. Pure.
import type { RichTextBlock, RichTextElement } from '@slack/types'
import { type Flag, flagMeanings, sensitiveFlags } from '../../grant/flags.ts'
import { lookAlikeReasons } from '../../grant/line/people.ts'
import { containerOf } from '../../grant/render/explain.ts'
import { mostNamed } from '../../grant/render/wish.ts'
import { type Roles, roleOf, roleTitle } from '../../grant/roles.ts'
import type { Wish } from '../../grant/wish.ts'
import type { Approval } from '../approvals.ts'

function text(words: string, isBold = false) {
  return { type: 'text' as const, text: words, ...(isBold ? { style: { bold: true } } : {}) }
}

/** What is asked for, and where. */
type Wanted = Pick<Approval, 'wish' | 'container'>

/** The container as whoever reads a request may know it: “Customer 1 (12)”, else “container 12”. Raw. */
export function whereOf({ wish, container }: Wanted): string {
  return containerOf(wish, { container })
}

/** “Responder on Customer 1 (12) for grace@example.com”; of several people, how many they are. Raw. */
export function wantedWords(wanted: Wanted, roles: Roles): string {
  const { emails, permissions } = wanted.wish
  const [email = '', ...others] = emails
  const whom = others.length === 0 ? email : `${emails.length} people`
  return `${nameOf(permissions, roles)} on ${whereOf(wanted)} for ${whom}`
}

/** The same, naming everybody. Raw. */
export function wantedInFull(wanted: Wanted, roles: Roles): string {
  const { wish } = wanted
  const words = wantedWords(wanted, roles)
  return wish.emails.length === 1 ? words : `${words} (${wish.emails.join(', ')})`
}

function nameOf(permissions: readonly Flag[], roles: Roles): string {
  const role = roleOf(permissions, roles)
  if (role !== undefined) return roleTitle(role)
  if (permissions.length === 0) return 'Dashboards only'
  if (permissions.length > mostNamed) return `${permissions.length} flags`
  const last = permissions.at(-1) ?? ''
  return permissions.length === 1 ? last : `${permissions.slice(0, -1).join(', ')} and ${last}`
}

/**
 * “19 flags, 6 of them sensitive: CONTAINER_ACCESS, …”: names what somebody deciding must see, and what the role in the
 * headline has where that is little. Raw.
 */
export function flagWords({ permissions }: Wish, roles: Roles): string {
  const count = permissions.length
  if (count === 0) return 'No flags: access to dashboards only'
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag))
  if (count <= mostNamed && roleOf(permissions, roles) !== undefined) {
    const some = sensitive.length === 0 ? 'none sensitive' : `sensitive: ${sensitive.join(', ')}`
    return `${permissions.join(', ')} · ${some}`
  }
  const counted = count === 1 ? '1 flag' : `${count} flags`
  if (sensitive.length === 0) return count === 1 ? `${counted}, not sensitive` : `${counted}, none sensitive`
  const all = count === 1 ? '' : 'all '
  const some = sensitive.length === count ? all : `${sensitive.length} of them `
  return `${counted}, ${some}sensitive: ${sensitive.join(', ')}`
}

/** What there is to know besides: how they join, how they sign in, and addresses that look like others. Raw. */
function besides({ member, authProvider, ...wish }: Wish): readonly string[] {
  return [
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
    ...lookAlikeReasons({ ...wish, member, authProvider }),
  ]
}

/**
 * The top of a card: its lead, below it who gets the access where the lead only counts them, and the reason. Text that
 * Slack does not interpret.
 */
export function requestBlock(lead: readonly RichTextElement[], wish: Wish, reason: string): RichTextBlock {
  const lines = [...(wish.emails.length > 1 ? [wish.emails.join(', ')] : []), besides(wish).join(' · ')]
  const below = lines.filter((line) => line !== '')
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [...lead, ...below.map((line) => text(`\n${line}`))],
      },
      { type: 'rich_text_quote', elements: [text(reason)] },
    ],
  }
}

/** For whom, on which container, and what each flag means: text that Slack does not interpret. */
export function askedBlock({ wish, container }: Wanted, heading: string): RichTextBlock {
  const { emails, permissions } = wish
  const more = [...(permissions.length === 0 ? ['no flags'] : []), ...besides(wish)]
  const meanings = permissions.map((flag) => ({
    type: 'rich_text_section' as const,
    elements: [text(flag, true), text(`: ${flagMeanings[flag]}`)],
  }))
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          text(`${heading}\n`, true),
          text(emails.join(', '), true),
          text(` · ${whereOf({ wish, container })}${more.length === 0 ? '' : `\n${more.join(' · ')}`}`),
        ],
      },
      ...(meanings.length === 0
        ? []
        : [{ type: 'rich_text_list' as const, style: 'bullet' as const, elements: meanings }]),
    ],
  }
}
