// Steps of the way in, up to the listener, as the table in guard.ts has them for each kind of request.
import { noteWorkspace, requestNow } from '../../log/request.ts'
import { stranger, type TurnedDown } from '../gate/gate.ts'
import type { Person } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import type { Topic } from '../request-topics.ts'
import { longestFree } from '../text/typed.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { refuseIfReplayed } from './once.ts'
import type { Asking, Command, Leniency } from './requests.ts'
import type { GuardRoom } from './room.ts'
import { tellFailures } from './tell-failures.ts'
import type { Sent } from './who.ts'

const never = () => false

/** What is asked: read already, or a long line, which is parsed when its sender has been charged. */
type Reading<Ask> =
  | { readonly kind: 'read'; readonly ask: Ask }
  | { readonly kind: 'unread'; readonly parse: () => Ask }

/** A line is parsed here, or in `askOf`. */
export function readLine<Ask, Line>(
  command: Pick<Command<Ask, never, Line>, 'parse'>,
  line: Line,
  length: number,
): Reading<Ask> {
  return length <= longestFree
    ? { kind: 'read', ask: command.parse(line) }
    : { kind: 'unread', parse: () => command.parse(line) }
}

export function asRead(
  ask: string,
  { isUnlimited = never, isReadOnly = never }: Partial<Leniency<string>> = {},
) {
  return { reading: { kind: 'read', ask }, leniency: { isUnlimited, isReadOnly } } as const
}

/** To be called once, when the sender has been charged. */
export function askOf<Ask>(reading: Reading<Ask>): Ask {
  return reading.kind === 'read' ? reading.ask : reading.parse()
}

export function isUnlimited<Ask>(reading: Reading<Ask>, leniency: Leniency<Ask>): boolean {
  return reading.kind === 'read' && leniency.isUnlimited(reading.ask)
}

/** A request before its steps: what is asked, by whom and from where, and how it is turned down. */
interface Entering<Ask> {
  readonly topic: Topic
  readonly sent: Sent
  readonly reading: Reading<Ask>
  readonly leniency: Leniency<Ask>
  /** What the request is known by: the same one again is refused, unless it is read-only. Without it, none is. */
  readonly known?: readonly string[]
  /** Turns it down in the form, each time; without it they are told privately, and not each time. */
  readonly refuse?: (sentence: string) => Promise<void>
  /** Acks when nobody has, before a failure is told. */
  readonly ackAtLast?: () => Promise<void>
}

type Listen<Ask> = (asking: Asking, ask: Ask) => Promise<void>

/**
 * Takes the steps from `charge` to the listener: failures are told, wherever on the way they happen. Strangers are told
 * that they are, and get no further; nor does whoever asks too fast. Never rejects.
 */
export function enter<Ask>(room: GuardRoom, entering: Entering<Ask>, listen: Listen<Ask>): Promise<void> {
  const { personOf, delivery } = room
  const { topic, sent, reading, leniency, known, refuse, ackAtLast } = entering
  let place = presumedPlace(sent)

  async function takeSteps(): Promise<void> {
    const installation = await room.installation()
    const here = { ...sent.spot, workspaceId: workspaceIdOf(installation) }
    place = here
    // What the payload names may be the sender's own, in a shared channel.
    noteWorkspace(here.workspaceId)
    const sender = await chargeAndIdentify(room, {
      topic,
      place: here,
      isUnlimited: isUnlimited(reading, leniency),
      async turnDown({ sentence, isToBeTold }) {
        if (refuse !== undefined) return refuse(sentence)
        if (isToBeTold) await delivery.privately(here, say(sentence))
      },
      identify: async () => ({ asker: await personOf(installation, sent.sender), isBot: false }),
    })
    if (sender === undefined) return
    await listenUnlessStranger(room, sender, here, async (asking) => {
      const ask = askOf(reading)
      if (known !== undefined && !leniency.isReadOnly(ask))
        await refuseIfReplayed(room.once, asking.asker, known)
      await listen(asking, ask)
    })
  }

  return tellFailures(
    room,
    topic,
    () => place,
    () => (ackAtLast === undefined ? takeSteps() : takeSteps().finally(ackAtLast)),
  )
}

/** Somebody who is to be charged, and is not known yet. */
interface Charge {
  readonly topic: Topic
  /** In the installation that it is for. */
  readonly place: Place
  /** They are not charged. */
  readonly isUnlimited: boolean
  turnDown(turnedDown: TurnedDown): Promise<void>
  identify(): Promise<Identified>
}

/** `asker`: undefined for a stranger, somebody of another organisation. */
interface Identified {
  readonly asker: Person | undefined
  readonly isBot: boolean
}

/** Charges them, and finds out who they are: strangers, too. Undefined for somebody who was turned down. */
export async function chargeAndIdentify(room: GuardRoom, charge: Charge): Promise<Identified | undefined> {
  const { topic, isUnlimited, turnDown, identify } = charge
  const { workspaceId, userId } = charge.place
  // Before Slack is asked who they are: strangers ask too fast as well.
  const turnedDown = isUnlimited ? undefined : room.gate.charge(topic, { workspaceId, userId })
  if (turnedDown !== undefined) {
    await turnDown(turnedDown)
    return undefined
  }
  const sender = await identify()
  const name = requestNow()?.name
  const isOurs = sender.asker !== undefined
  room.log.debug({ name, user: userId, workspace: workspaceId, isOurs }, 'who asks is known')
  return sender
}

/** Has the listener listen to whoever is no stranger. Strangers are told that they are. */
export function listenUnlessStranger(
  { delivery }: GuardRoom,
  { asker }: Identified,
  place: Place,
  listen: (asking: Asking) => Promise<void>,
): Promise<void> {
  if (asker === undefined) return delivery.privately(place, stranger)
  return listen({ asker, place, answer: (message) => delivery.privately(place, message) })
}

/** Until the installation is known, answers use the workspace of the payload. */
function presumedPlace({ spot, workspaceId }: Sent): Place {
  return { ...spot, workspaceId }
}
