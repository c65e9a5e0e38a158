// Doctor's looks at cards: whether Slack takes one as it is drawn here, and whether any live one is behind.
import { classify } from '../../slack/client/refusals.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { withoutLinks } from '../../slack/outbound/readably.ts'
import type { Judge } from '../../slack/workspace/probe.ts'
import type { Check, Finding } from './check.ts'

const cardsName = 'Cards'

/**
 * Whether Slack takes a card as this bot draws it, with its link. Nothing is posted.
 * @param card - As cards are here, of an alert that is none.
 */
export function cardCheck({ complaintsAbout }: Judge, card: Pick<Message, 'blocks'>): Check {
  return {
    name: cardsName,
    by: 'operator',
    ifSlow: 'Try again in a minute.',
    async run() {
      try {
        const complaints = await complaintsAbout({ message: { blocks: card.blocks } })
        if (complaints.length === 0) return [cardsTaken]
        const bare = await complaintsAbout({ message: { blocks: withoutLinks(card.blocks) } })
        return [bare.length === 0 ? cardLinkRefused(complaints) : cardsRefused(bare)]
      } catch (error) {
        // Whether Slack can be asked at all is in another line, and not every Slack judges blocks.
        if (classify(error).kind !== 'defect') return []
        throw error
      }
    },
  }
}

const cardsTaken: Finding = { name: cardsName, state: 'green', found: 'Slack accepts Bellhop’s cards.' }

function cardLinkRefused(complaints: readonly string[]): Finding {
  return {
    name: cardsName,
    state: 'amber',
    found: `Slack refuses the link to monitoring, so cards come without it: ${complaints.join('; ')}.`,
    mend: 'Set MONITOR_ALERT_URL to an address with a full host name, as in https://monitoring.example.com/alert/{ks}.',
  }
}

function cardsRefused(complaints: readonly string[]): Finding {
  return {
    name: cardsName,
    state: 'red',
    found: `Slack refuses Bellhop’s cards, so Bellhop posts only one sentence: ${complaints.join('; ')}.`,
    mend: 'Report it, and include the text for a ticket.',
  }
}

const liveName = 'Live cards'

/**
 * Whether any live card of this workspace is behind.
 * @param behind - Those that were not checked by the time they say, and when the oldest alert was last read.
 */
export function behindCheck(
  behind: () => Promise<{ readonly overdue: number; readonly oldestMs: number }>,
): Check {
  return {
    name: liveName,
    ifSlow: 'Try again in a minute.',
    async run() {
      const { overdue, oldestMs } = await behind()
      // Where all is well there is nothing to say of cards that somebody else watches.
      if (overdue === 0) return []
      const late =
        overdue === 1
          ? 'One card is overdue: the time it shows for its next check has passed.'
          : `${overdue} cards are overdue: the times they show for their next checks have passed.`
      const minutes = Math.max(1, Math.round(oldestMs / 60_000))
      const ago = minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
      return [
        {
          name: liveName,
          state: 'amber',
          found: `${late} Of all live cards, the one that has waited longest was last checked ${ago}.`,
          mend: 'Check that the service answers. If it does, more cards are changing than Slack lets Bellhop update: stop watching some.',
        },
      ]
    },
  }
}
