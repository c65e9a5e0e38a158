// The doorbell of a follow: a webhook of the service rings it, and the follow looks at once. Nothing that it says is
// believed: whoever knows the address can make Bellhop look, and no more.
import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { findPressed } from './following.ts'
import { rung } from './follows.ts'
import { renderBell } from './render.ts'

/** *Get alerts at once*: a new address, shown once; the one before rings no more. */
export async function giveBell(house: House, pressed: ActionRequest): Promise<void> {
  const { storage, config, slack } = house
  const { asker, place } = pressed
  const { workspaceId, id, carrier, container } = await findPressed(house, pressed)
  if (config.publicUrl === undefined || carrier.userId !== asker.userId)
    throw new UserError(`Only ${carrier.name} gets the address, whose account reads ${container}.`)
  const secret = randomBytes(32).toString('base64url')
  await storage.follows.change({ workspaceId, id }, (one) => ({ ...one, bell: hash('sha256', secret) }))
  const address = `${config.publicUrl}/ring/${workspaceId}.${id}.${secret}`
  await slack.privately(place, renderBell(container, address))
}

/** `POST /ring/<secret>`: answered alike, whatever it is. */
export function ringing({ storage, poller, log }: House) {
  return async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, workspaceId = '', id = '', secret = ''] = /^\/ring\/(\w+)\.([\w-]+)\.([\w-]+)$/.exec(url) ?? []
    try {
      const mark = hash('sha256', secret)
      const heard = await storage.follows.change({ workspaceId, id }, (one, now) =>
        one.bell === mark ? rung(one, now) : undefined,
      )
      if (heard !== undefined) poller.wake()
    } catch (error) {
      log.warn({ err: error }, 'a ring could not be heard; the follow looks at its usual time')
    }
    response.writeHead(202, { connection: 'close' }).end()
  }
}
