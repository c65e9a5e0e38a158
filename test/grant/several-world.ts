// A world for stories about granting to several people.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { openWorld, posts, type World, type WorldOptions } from '../world.ts'

/** `p1@example.com` and so on, users of the service. */
export async function openSeveral(count: number, options: WorldOptions = {}) {
  const world = await openWorld(options)
  const emails = Array.from({ length: count }, (_, index) => `p${index + 1}@example.com`)
  for (const email of emails) world.service.addUser({ email })
  return { world, emails, line: `/grant 12 ${emails.join(',')} viewer` }
}

/** Whom the service was asked to add, in the order in which it was asked. */
export const asked = (world: World) => posts(world).map(({ body }) => String(Object(body).email))

/** Those to whom it answered so. */
export const answered = (world: World, answer: number) =>
  posts(world)
    .filter(({ status }) => status === answer)
    .map(({ body }) => String(Object(body).email))
    .toSorted()

/** Whom the service has added. */
export const added = (world: World) => answered(world, 204)

/** What changes them is said so behind a receipt of several people. */
export const changes = (emails: readonly string[]) => emails.map((email) => `Change ${email}…`)

/** Takes a token back as soon as somebody has been added so many times. */
export function revokeAfter({ service }: World, added: number, token: string): void {
  const stop = service.onChange(() => {
    if (service.membersOf(12).length < added) return
    stop()
    service.revoke(token)
  })
}

/** Messages that tell a result for several people. */
export const results = (person: Person, channel: Channel) =>
  person.messages(channel).filter(({ plain }) => / of \d+ granted/.test(plain))
