// Buttons of a card: two in view, the rest in its menu. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { menu } from '../../slack/outbound/message.ts'
import { plain } from '../../slack/text/mrkdwn.ts'

/** Action ids of the buttons, for the listeners. */
export const refreshAction = 'alert.refresh'
export const watchAction = 'watch.start'
export const stopWatchingAction = 'watch.stop'
export const moreAction = 'alert.more'

/** What a card's menu offers. */
const offers = ['open', 'grant', 'share', 'stop'] as const
export type Offer = (typeof offers)[number]

const labels: Readonly<Record<Offer, string>> = {
  open: 'Open in monitoring',
  grant: 'Grant access',
  share: 'Share in channel',
  stop: 'Stop watching',
}

export interface CardButtons {
  readonly cardId: string
  readonly isClosed: boolean
  readonly isPrivate: boolean
  readonly canShare: boolean
  readonly isLive: boolean
  /** Where the alert is in monitoring, when that is known. */
  readonly url: string | undefined
}

export function cardButtons({ cardId, isClosed, isPrivate, canShare, isLive, url }: CardButtons): KnownBlock {
  const button = (actionId: string, label: string): Button => ({
    type: 'button',
    action_id: actionId,
    text: plain(label),
    value: cardId,
  })
  // On a live card others may want to watch it too; on a private one there are no others.
  const watches =
    isPrivate && isLive ? [button(stopWatchingAction, labels.stop)] : [button(watchAction, 'Watch')]
  const rest: readonly Offer[] = [
    ...(url === undefined ? [] : ['open' as const]),
    ...(isLive && !isPrivate ? ['stop' as const] : []),
    'grant',
    ...(isPrivate && canShare ? ['share' as const] : []),
  ]
  return {
    type: 'actions',
    elements: [
      button(refreshAction, 'Refresh'),
      ...(isClosed ? [] : watches),
      ...menu(
        moreAction,
        rest.map((offer) => ({
          text: plain(labels[offer]),
          value: `${offer} ${cardId}`,
          ...(offer === 'open' && url !== undefined ? { url } : {}),
        })),
      ),
    ],
  }
}

/** What was chosen in a card's menu, or pressed in its place; undefined for what no card offers. */
export function readMore(value: string): { readonly offer: Offer; readonly cardId: string } | undefined {
  const [word, cardId = ''] = value.split(' ')
  const offer = offers.find((one) => one === word)
  return offer && { offer, cardId }
}
