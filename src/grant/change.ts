// Changes somebody who is on a container already: adds flags, and takes none away. The service takes whole lists alone, and
// knows no versions of them. So a list is read when somebody is shown what would change, and again before it is sent; what is
// sent is all that they have then, flags that nobody here knows among it, and what is added. Its answer proves nothing: the
// list that is read after it does.
// Source: the service's documentation of “Update user” of a container.
import type { House } from '../house.ts'
import { answered, type Performed } from '../send/kinds.ts'
import type { AddUser, There } from '../send/writes.ts'
import { hasAll, personIn, readPeople, settleByLook } from './add.ts'

/** As `Kind.perform`, for somebody who is there. Nothing is sent where they have lost since what they were shown to have. */
export async function changeSomebody(
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
  if (
    them === undefined ||
    them.inherit ||
    !there.permissions.every((flag) => them.permissions.includes(flag))
  ) {
    return { outcome: { kind: 'not-done', code: 'changed' }, had }
  }
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
