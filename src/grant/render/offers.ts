// Buttons of receipts: what can be done about those who were not granted, and sharing what was. Pure.
import type { ActionsBlockElement } from '@slack/types'
import { z } from 'zod'
import { cut, literal, plain } from '../../slack/text/mrkdwn.ts'
import { hasCode, isGranted, leftToEdit, offersRest, type Result, type Wish } from '../wish.ts'
import { askApprovalButton } from './confirm.ts'

/** Action ids of the buttons, for the listeners. */
export const shareAction = 'grant.share'
export const restAction = 'grant.rest'
export const editAction = 'grant.edit'
export const lookAction = 'grant.look'
/** One for each provider that is offered: ids in a block differ. */
export const viaActions = ['grant.via.1', 'grant.via.2', 'grant.via.3'] as const

/** A receipt's people, and what its reader has done with it. */
export interface Offering {
  /** Of the wish. */
  readonly id: string
  readonly wish: Wish
  readonly results: readonly Result[]
  /** False once a button was pressed that sends. */
  readonly isRestOpen: boolean
  /** Whoever was not sent for want of a token goes on by itself once there is one. */
  readonly waits: boolean
  readonly canShare: boolean
  /** A look may show what became of those who are not certain. */
  readonly canLook: boolean
  readonly authProviders: readonly string[]
}

/** Which of them do something is looked up once more when they are pressed. */
export function offers(offering: Offering): readonly ActionsBlockElement[] {
  const { id, wish, results, isRestOpen, waits, canShare, canLook, authProviders } = offering
  const isOne = results.length === 1
  const providers =
    isOne && isRestOpen && hasCode(results, 'bad-request') ? otherProviders(wish, authProviders) : []
  const isEditable = leftToEdit(results, waits).length > 0 && (isRestOpen || !isOne)
  return [
    ...(canLook ? [button(lookAction, 'Look again', id)] : []),
    ...(hasCode(results, 'forbidden') ? [askApprovalButton(id)] : []),
    ...(isRestOpen && offersRest(results)
      ? [button(restAction, isOne ? 'Try again' : 'Try the rest again', id)]
      : []),
    ...(isEditable ? [button(editAction, 'Edit and try again', id)] : []),
    ...viaActions.flatMap((action, index) => viaButton(action, id, providers[index])),
    ...(canShare && results.some(isGranted) ? [button(shareAction, 'Share in channel', id)] : []),
  ]
}

/** Ways in which somebody may sign in whose address exists more than once, but the one that was tried. */
function otherProviders({ authProvider }: Wish, authProviders: readonly string[]): readonly string[] {
  return authProviders.filter((provider) => provider !== 'Password' && provider !== authProvider)
}

function button(action: string, label: string, id: string): ActionsBlockElement {
  return { type: 'button', action_id: action, text: plain(label), value: id }
}

const viaSchema = z.object({ id: z.string(), provider: z.string() })

function viaButton(action: string, id: string, provider: string | undefined): readonly ActionsBlockElement[] {
  if (provider === undefined) return []
  const value = JSON.stringify({ id, provider } satisfies z.infer<typeof viaSchema>)
  return [{ type: 'button', action_id: action, text: literal(cut(`via ${provider}`, 75)), value }]
}

/** The wish and the provider that a button names; undefined for the value of another version. */
export function readVia(value: string): z.infer<typeof viaSchema> | undefined {
  try {
    return viaSchema.safeParse(JSON.parse(value)).data
  } catch {
    return undefined
  }
}

/** Said where a button of a receipt does nothing, or nothing more. Raw. */
export const inVain = {
  /** To whoever presses a button that versions before this one had on every receipt. */
  onlyGranted: 'Only a grant that went through can be shared.',
  /** To whoever presses *Look again* where nothing can be looked at. */
  cannotLook: 'Bellhop can’t look that up here any more. Check the container in monitoring.',
  noAccount: 'Connect your account with /alert connect first, then press Look again.',
  notOffered: 'This sign-in provider isn’t offered any more. Nothing was sent.',
  /** @param wish - The one that followed from the receipt first. */
  triedBefore: ({ authProvider }: Wish): string => {
    const how = authProvider === undefined ? '' : ` via ${authProvider}`
    return `You already chose to try this again${how}. Nothing more was sent.`
  },
} as const
