// A world for stories about grants that are left in doubt, and what the people of the container show of them.
import type { World } from '../world.ts'

export const member = '/grant 12 dave@example.com READ API member'
export const noMember = '/grant 12 dave@example.com READ API'

/** What a background job tells comes within some seconds. */
export const patient = { limitMs: 60_000 }

const listPath = '/container/12/users'
/** How often the people of the container were read. */
export const lists = ({ service }: World) =>
  service.requests.filter(({ method, path }) => method === 'GET' && path === listPath)

/** The next grant gets no answer. */
export function losesAnswer({ service }: World, takesEffect: boolean): void {
  service.trouble.cut({
    when: takesEffect ? 'after-effect' : 'before-answer',
    only: 'POST',
    times: 1,
  })
}

/** Somebody, or the request after all, adds Dave. */
export function addsDave(
  { service }: World,
  permissions: readonly string[] = ['READ', 'API'],
): void {
  service.addMember(12, { email: 'dave@example.com', permissions, member: true })
}
