// Changes and removes people who are on a container, by a line or by *Change…* and *Remove…* beside a name: reads the list
// with the asker’s token, shows them what would change, and asks before anything is sent.
import { withToken } from '../account/connect-first.ts'
import { endsOf } from '../ends/states.ts'
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords, personShown } from '../names/containers.ts'
import { learnName } from '../names/names.ts'
import { knownBy } from '../send/whom.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { nameOf, type Sought, type Terms } from './access.ts'
import { askOrSend, type WantedGrant } from './granting.ts'
import { mayLastForGood } from './lasting.ts'
import { asListed } from './people.ts'
import type { ReceiptTo } from './receipts.ts'
import { endsAnyway } from './render/lasting.ts'
import { inVain } from './render/receipt.ts'
import { warningsFor } from './warnings.ts'

/** A change or a removal that somebody wants. Can be kept as JSON while they connect an account. */
export interface ChangeAsk extends Omit<WantedGrant, 'access'> {
  readonly terms: Terms
  readonly sought: readonly Sought[]
}

/** Asks about a change or a removal. @throws UserError, saying why, if nothing can be done. */
export function askToChange(house: House, to: ReceiptTo, ask: ChangeAsk): Promise<void> {
  const { terms, sought, notes: read = [], ...wanted } = ask
  return withToken(house, to, { feature: 'grant-change', ask }, async (token) => {
    const { asker } = to
    const list = await listFor(house, { owner: asker, token }, terms.containerId)
    const where = containerInWords(house, asker, terms.containerId)

    const { access, others } = asListed(terms, list, sought)
    const { kept = [], ending = [] } = await endingOf(house, asker, terms, access?.people ?? sought)
    const reasons = ['unseen', 'twice', 'inherited'] as const
    const notes = reasons.flatMap((why) =>
      (others[why] ?? []).map((one) => inVain[why](nameOf(one), where, terms.containerId)),
    )

    const [first] = sought
    if (access === undefined && notes.length === 0 && first !== undefined) {
      notes.push(inVain.hasAll(nameOf(first), where))
      if (kept.length + ending.length > 0) notes.push(endsAnyway)
    }

    if (access === undefined) throw new UserError(notes.join(' '))

    const isGiving = access.permissions.length + kept.length > 0 || access.member === true
    const judged = {
      ...access,
      ends: isGiving ? access.ends : undefined,
      takesOver: kept,
      stillEnds: ending,
      warnings: await warningsFor(house, asker, list, access),
    }

    await askOrSend(house, to, { ...wanted, access: judged, notes: [...read, ...notes] })
  })
}

/** Somebody by their number, with name and address if the asker’s token has shown these. */
export function soughtBy(house: House, asker: SlackUser, userId: number): Sought {
  const { email = '', name = '' } = personShown(house, asker, userId) ?? {}
  return { email, there: { userId, name } }
}

/**
 * Flags that a change names, and that somebody already has for a time. `kept`: the change replaces the time when these
 * end. `ending`: that time stays, as the settings give these flags only for a time, or only with approval.
 */
async function endingOf(
  house: House,
  { workspaceId }: SlackUser,
  { containerId, permissions, authProvider }: Terms,
  sought: readonly Sought[],
) {
  if (permissions.length === 0) return {}

  const theirs = await Promise.all(
    sought.map((whom) => endsOf(house, workspaceId, containerId, knownBy(whom, authProvider))),
  )

  const running = theirs.flat().flatMap(({ flags }) => flags)
  const held = permissions.filter((flag) => running.includes(flag))

  return Object.groupBy(held, (flag) => (mayLastForGood(house.config, flag) ? 'kept' : 'ending'))
}

/**
 * The container’s people as they are now; its name is learned meanwhile.
 * @throws UserError, saying why, if the token lacks READ or gets no list; MonitorError for any other failure.
 */
export async function listFor(house: House, reader: Account, containerId: number) {
  const { owner, token } = reader
  const named = learnName(house, reader, containerId)
  const found = await orMonitorError(house.monitor.usersOf(token, containerId))
  await named

  const where = containerInWords(house, owner, containerId)
  if (found instanceof MonitorError) {
    if (found.code !== 'forbidden') throw found

    throw new UserError(`Your token lacks READ on ${where}, so I can’t see who’s on it.`)
  }

  if (found.kind !== 'listed')
    throw new UserError(
      `Monitoring knows no container ${containerId}, or doesn’t show you its people.`,
    )

  house.names.used(reader).note(containerId, { people: found.people })

  return found.people
}
