// Adds somebody to a container, or flags to what they have there: one request. Where its answer leaves it uncertain, the
// list of the container's people is read. That list doesn't have everybody, so absence proves nothing; and it doesn't say
// whose doing anything is.
// Source: the service's documentation of “Query users” of a container.
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ContainerPerson } from '../monitor/client.ts'
import { isSameAddress } from '../monitor/schema.ts'
import { type AddUser, asAddUser, type NotDoneCode, type Sight, type There } from '../send/outcome.ts'
import { looked, type Request } from '../send/request.ts'
import { answered, type Kind, kindOf, lookAfter, type Performed } from '../send/send.ts'
import { accessOf } from './access.ts'
import { inVain } from './render/receipt.ts'

export const addSomebody: Kind['perform'] = async (house, token, write, begin) => {
  const adding = asAddUser(write)
  const { kind: _, containerId, there, ...user } = adding
  if (there !== undefined) return changeSomebody(house, token, adding, there, begin)
  if (!(await begin())) return undefined
  const sent = answered(await house.monitor.addUser(token, containerId, user))
  return sent.outcome.kind === 'uncertain' ? settleByLook(house, token, adding, sent) : sent
}

/**
 * For somebody who is there already: adds flags, and takes none away. The service takes whole lists alone, and knows no
 * versions of them. So a list is read when somebody is shown what would change, and again before it is sent; what is sent is
 * all that they have then, flags that nobody here knows among it, and what is added. Nothing is sent where they have lost
 * since what they were shown to have. Its answer proves nothing: the list that is read after it does.
 * Source: the service's documentation of “Update user” of a container.
 */
async function changeSomebody(
  house: House,
  token: string,
  write: AddUser,
  there: There,
  begin: () => Promise<boolean>,
): Promise<Performed | undefined> {
  const { containerId, permissions, member } = write
  const list = await readPeople(house, token, containerId)
  if (typeof list === 'string') return { outcome: { kind: 'not-done', code: list } }
  const them = personIn(list, write)
  const had = them?.permissions
  const hasLost = there.permissions.some((flag) => !them?.permissions.includes(flag))
  if (them === undefined || them.inherit || hasLost)
    return { outcome: { kind: 'not-done', code: 'changed' }, had }
  if (hasAll(write, them)) return { outcome: { kind: 'done', on: 'unsaid' }, had, has: had }
  if (!(await begin())) return undefined
  const sent = answered(
    await house.monitor.changeUser(token, containerId, them.id, {
      permissions: [...new Set([...them.permissions, ...permissions])],
      ...(member && { member }),
    }),
  )
  const { outcome } = sent
  if (outcome.kind !== 'not-done') return { ...(await settleByLook(house, token, write, sent)), had }
  // The container was there a moment ago: they are not, any more.
  return outcome.code === 'not-found' ? { outcome: { ...outcome, code: 'changed' } } : { ...sent, had }
}

/** What three looks within seconds show of somebody, where the answer to a write proves nothing. */
async function settleByLook(
  house: House,
  token: string,
  write: AddUser,
  sent: Performed,
): Promise<Performed> {
  let found: Found = {}
  await lookAfter(house, async () => {
    const list = await readPeople(house, token, write.containerId)
    if (typeof list !== 'string') found = findIn(list, write, found.saw)
    // What was seen before stands where nothing can be read just now.
    else found = { ...found, saw: list === 'no-operation' ? 'off' : (found.saw ?? 'unread') }
    return found.outcome !== undefined || found.saw === 'off' ? 'enough' : 'again'
  })
  if (found.outcome !== undefined) return { outcome: found.outcome, has: found.has }
  const { saw } = found
  const isTaken = sent.outcome.kind === 'done'
  if (isTaken && (saw === 'unread' || saw === 'off'))
    return { outcome: { kind: 'uncertain', cause: 'not-readable' } }
  return { ...sent, ...found, ...(isTaken && { outcome: { kind: 'uncertain', cause: 'not-seen' } }) }
}

/**
 * *Look again*: reads the list once, with the token of whoever sent a request, for all who are not certain. Never sends
 * anything, and tells nobody: that is the caller's.
 * @returns The request as it is then, and when it was looked at, in Unix seconds: undefined where all was known already.
 * @throws UserError when nothing can be looked at.
 */
export async function lookAgain(
  house: House,
  request: Request,
): Promise<{ readonly request: Request; readonly lookedAt?: number }> {
  const { requests } = house.storage
  if (request.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')) return { request }
  const token = await house.tokens.find(request.sender)
  if (token === undefined) throw new UserError(inVain.noAccount)
  const list = await readPeople(house, token, accessOf(request).containerId)
  if (list === 'no-operation') throw new UserError(inVain.cannotLook)
  if (typeof list === 'string') throw new UserError(inVain.notRead)
  for (const send of request.sends) {
    const { n, write, outcome, saw } = send
    if (outcome?.kind !== 'uncertain') continue
    const found = findIn(list, asAddUser(write), saw)
    const kept = await requests.change(request, looked(n, found))
    if (kept !== undefined && found.outcome !== undefined)
      await kindOf(house, kept).record(house, kept, send, found.outcome, {})
  }
  const now = (await requests.find(request)) ?? request
  return { request: now, lookedAt: Math.floor(house.now() / 1000) }
}

/** The people of a container, as somebody's token shows them, or why it shows none. */
export async function readPeople(
  { monitor }: House,
  token: string,
  containerId: number,
): Promise<readonly ContainerPerson[] | NotDoneCode> {
  try {
    const found = await monitor.usersOf(token, containerId)
    if (found.kind === 'listed') return found.people
    return found.kind === 'off' ? 'no-operation' : 'not-found'
  } catch (error) {
    if (error instanceof MonitorError) return error.code
    throw error
  }
}

/** Without an outcome while nothing shows that they were added. */
type Found = Partial<Pick<Performed, 'outcome' | 'saw' | 'has'>>

/**
 * What a list shows of somebody who may have been added.
 * @param former - What an earlier look has shown: who wasn't listed then, and is, was added since.
 */
export function findIn(people: readonly ContainerPerson[], write: AddUser, former: Sight | undefined): Found {
  const them = people.filter((one) => isThem(write, one))
  const has = personIn(people, write)?.permissions
  if (them.some((one) => !one.inherit && hasAll(write, one))) {
    // Of somebody who was there, it was read before that they lacked some of it.
    const isNew = write.there !== undefined || former === 'unlisted'
    return { outcome: { kind: 'done', on: isNew ? 'seen' : 'unsaid' }, has }
  }
  return { saw: them.length > 0 ? 'otherwise' : 'unlisted', has }
}

type Whom = Pick<AddUser, 'email' | 'authProvider' | 'there'>

/**
 * Somebody on a list; who is on this container comes before who comes from another. Nobody where an address is there twice:
 * it takes the provider to tell them apart.
 */
export function personIn(people: readonly ContainerPerson[], whom: Whom): ContainerPerson | undefined {
  const them = people.filter((one) => isThem(whom, one))
  const [own, ...others] = them.filter(({ inherit }) => !inherit)
  return others.length > 0 ? undefined : (own ?? them[0])
}

/** Says whether somebody of a list is the one who is meant, as far as their address and provider tell. */
function isThem({ email, authProvider, there }: Whom, person: ContainerPerson): boolean {
  if (there !== undefined) return person.id === there.userId
  return (
    person.email !== undefined &&
    isSameAddress(person.email, email) &&
    (authProvider === undefined || person.authProvider?.toLowerCase() === authProvider.toLowerCase())
  )
}

function hasAll({ permissions, member }: AddUser, person: ContainerPerson): boolean {
  return permissions.every((flag) => person.permissions.includes(flag)) && (person.member || !member)
}
