// The address that a card's headline leads to.
import type { SeenMessage } from '../../playground/slack/person/seen.ts'

/** Undefined where the headline is no link. */
export function linkIn({ blocks }: Pick<SeenMessage, 'blocks'>): string | undefined {
  return /"type":"link","url":"([^"]+)"/.exec(JSON.stringify(blocks))?.[1]
}
