// Doctor's look at a card: whether Slack takes one as this bot draws it, with its link. Nothing is posted.

import { classify } from '../../slack/client/refusals.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { withoutLinks } from '../../slack/outbound/readably.ts'
import type { Judge } from '../../slack/workspace/probe.ts'
import type { Check, Finding } from './check.ts'

const name = 'Cards'

/** @param card - As cards are here, of an alert that is none. */
export function cardCheck({ complaintsAbout }: Judge, card: Pick<Message, 'blocks'>): Check {
  return {
    name,
    by: 'operator',
    ifSlow: 'Try again in a minute.',
    async run() {
      try {
        const complaints = await complaintsAbout({ message: { blocks: card.blocks } })
        if (complaints.length === 0) return [taken]
        const bare = await complaintsAbout({ message: { blocks: withoutLinks(card.blocks) } })
        return [bare.length === 0 ? linkRefused(complaints) : refused(bare)]
      } catch (error) {
        // Whether Slack can be asked at all is in another line, and not every Slack judges blocks.
        if (classify(error).kind !== 'defect') return []
        throw error
      }
    },
  }
}

const taken: Finding = { name, state: 'green', found: 'Slack accepts Bellhop’s cards.' }

function linkRefused(complaints: readonly string[]): Finding {
  return {
    name,
    state: 'amber',
    found: `Slack refuses the link to monitoring, so cards come without it: ${complaints.join('; ')}.`,
    mend: 'Set MONITOR_ALERT_URL to an address with a full host name, as in https://monitoring.example.com/alert/{ks}.',
  }
}

function refused(complaints: readonly string[]): Finding {
  return {
    name,
    state: 'red',
    found: `Slack refuses Bellhop’s cards, so Bellhop posts only one sentence: ${complaints.join('; ')}.`,
    mend: 'Report it, and include the text for a ticket.',
  }
}
