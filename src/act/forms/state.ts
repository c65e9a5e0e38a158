// State that a form about an alert carries: where its verdict goes, and which alert it is about. Ids alone: the rest is
// looked up when the form comes back, so that one that was open during a restart works.
import { z } from 'zod'
import { type Card, maySee } from '../../alert/cards.ts'
import { UserError } from '../../errors.ts'
import type { ShownAlert } from '../../send/writes.ts'
import type { From } from '../../slack/guard/requests.ts'
import { readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import { quote } from '../../slack/text/typed.ts'
import { toldOrGone } from '../record.ts'
import { tooOldWords } from '../render/ways-on.ts'
import type { ActRoom } from '../room.ts'

const aboutSchema = z.union([
  /** `shown`: as the card had it when its button was pressed. */
  z.object({
    cardId: z.string(),
    shown: z.object({ ownerId: z.number().int().nullable(), isClosed: z.boolean() }).optional(),
  }),
  /** What was wanted before, and is edited. */
  z.object({ wishId: z.string() }),
  /** Whatever key is typed into the form. */
  z.object({ asksKey: z.literal(true) }),
])
type About = z.infer<typeof aboutSchema>

/** `id`: of the intent, the same however often the form is sent. */
const stateSchema = z.object({ id: z.string(), place: keptPlaceSchema, about: aboutSchema })

export function actState(id: string, place: Place, about: About): string {
  return JSON.stringify({ id, place: keptPlace(place), about })
}

/** @throws UserError for what another version has written. */
export function readActState(
  privateMetadata: string,
  owner: SlackUser,
): { readonly id: string; readonly place: Place; readonly about: About } {
  const { id, place, about } = readPrivateMetadata(stateSchema, privateMetadata)
  return { id, place: placeFrom(place, owner), about }
}

/** Which alert a form is about. */
interface FormSubject {
  readonly ks: string
  readonly cardId: string | undefined
  readonly shown: ShownAlert | undefined
  readonly senderId: number | undefined
  /** Raw. */
  readonly headline: string
}

/** Undefined where the form asks for the key. @throws UserError where it is forgotten, or not theirs to see. */
export async function subjectOfForm(
  room: ActRoom,
  from: From,
  about: About,
): Promise<FormSubject | undefined> {
  if ('asksKey' in about) return undefined
  if ('cardId' in about) {
    const { ks, title, id } = await cardFor(room, from.asker, about.cardId)
    return { ks, cardId: id, shown: about.shown, senderId: undefined, headline: title }
  }
  const { write } = await toldOrGone(room, from, about.wishId)
  const { ks, cardId, shown, senderId } = write
  return {
    ks,
    cardId,
    shown,
    senderId,
    headline: (await titleOf(room, from.asker, cardId)) ?? `Alert ${quote(ks)}`,
  }
}

async function cardFor({ alert }: ActRoom, asker: SlackUser, cardId: string): Promise<Card> {
  const card = await alert.cards.find(asker.workspaceId, cardId)
  if (card === undefined || !maySee(asker, card)) throw new UserError(tooOldWords.card)
  return card
}

async function titleOf(
  { alert }: ActRoom,
  asker: SlackUser,
  cardId: string | undefined,
): Promise<string | undefined> {
  const card = cardId === undefined ? undefined : await alert.cards.find(asker.workspaceId, cardId)
  return card !== undefined && maySee(asker, card) ? card.title : undefined
}
