// Learning names for a new card: once it is there, as a look-up asks the service for its alert alone. Its history waits a
// moment for them, and the card is drawn once more where they are news.
import type { Alert } from '../../monitor/schema.ts'
import { areSameNames, type Names, noNames } from '../../names/names.ts'
import { mayLearn } from '../../names/naming.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { inTime } from '../../work/under-way.ts'
import type { Card } from '../cards.ts'
import type { AlertRoom } from '../room.ts'
import { areAllNamed, isWhole, joinNames, learnOf, momentMs, type NamingRoom, namesShownIn } from './names.ts'

type LearningRoom = NamingRoom & Pick<AlertRoom, 'turns' | 'once' | 'liveCards' | 'outbound'>

/** What was read for a card. */
interface Read {
  readonly card: Card
  readonly alert: Alert
}

export interface Learning {
  /** For the card's history; to be called once the card is there. */
  inAMoment(): Promise<Names>
  /**
   * The card is delivered: what is learned is kept with it, and drawn.
   * @param card - As it was delivered.
   */
  conclude(card: Card, draw: (names: Names) => Message): Promise<void>
}

/** Asks nothing before it is called. @param token - Of the card's asker. */
export function startLearning(room: LearningRoom, token: string, { card, alert }: Read): Learning {
  const { names: known = noNames, asker, link } = card
  let learning: Promise<Names> | undefined
  const learn = () => {
    learning ??= learnOf(room, asker, token, alert, link).then((learned) =>
      namesShownIn(room, card, joinNames(known, learned)),
    )
    return learning
  }

  return {
    async inAMoment() {
      if (areAllNamed(known, alert) || !mayLearn(room.names, asker, alert, link)) return known
      return (await inTime(learn(), momentMs)) ?? known
    },
    async conclude(delivered, draw) {
      if (isWhole(known, alert) || !mayLearn(room.names, asker, alert, link)) return
      const learned = learn()
      const drawing = room.work.track(drawOnceLearned(room, delivered, known, learned, draw))
      // Whoever goes on with the card finds it drawn, unless the service takes its time.
      if ((await inTime(learned, 0)) !== undefined) await drawing
    },
  }
}

/** Never rejects: the card says less without. */
async function drawOnceLearned(
  room: LearningRoom,
  card: Card,
  known: Names,
  learned: Promise<Names>,
  draw: (names: Names) => Message,
): Promise<void> {
  try {
    const names = await learned
    if (areSameNames(names, known)) return
    await room.cards.noteNames(card.workspaceId, card.id, names)
    await room.turns(card.id, () => drawNamed(room, card, draw(names)))
  } catch (error) {
    room.log.warn({ err: error }, 'a card could not be drawn with the names that were learned')
  }
}

/** Unless somebody has drawn it since, or keeps it live: their state of the alert is newer. */
async function drawNamed(
  { once, liveCards, outbound }: LearningRoom,
  { workspaceId, id, layout, posted }: Card,
  message: Message,
): Promise<void> {
  // Nothing leads to a card that was posted through a response_url.
  if (layout === 'one-message' || posted === undefined) return
  if (await claimDrawing(once, workspaceId, id)) await outbound.in(workspaceId).update(posted, message)
  // Where it is live by now, it is drawn once more at its next look.
  await liveCards.forgetLook(workspaceId, id)
}

/** For whoever is about to draw a card that is there already: true for the first, of all processes. */
export function claimDrawing(
  once: Pick<AlertRoom['once'], 'claim'>,
  workspaceId: string,
  cardId: string,
): Promise<boolean> {
  return once.claim(workspaceId, `drawn ${cardId}`)
}
