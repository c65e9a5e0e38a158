// Answers `/grant who` for the asker alone: lists who is on a container, and who is invited to it. Also acts on the
// buttons in the list: *Change…* and *Remove…* beside each person, and *Withdraw invitation*.
import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { refOfContainer } from '../ends/states.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { isSameAddress } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { readId } from '../slack/text/typed.ts'
import { type Listed, nameOf } from './access.ts'
import { openChangeForm } from './form.ts'
import { askOrSend, askToChange, findRecipients } from './granting.ts'
import type { WhoAsk } from './input/line.ts'
import { isEmail } from './input/pieces.ts'
import { listFor, readInvites, soughtBy } from './people.ts'
import type { ReceiptTo } from './receipts.ts'
import { inVain } from './render/receipt.ts'
import { readWhoLine, renderWho } from './render/who.ts'

/** Shows the asker who is on a container. */
export function listWho(house: House, to: ReceiptTo, ask: WhoAsk): Promise<void> {
  return withToken(house, to, { feature: 'grant-who', ask }, async (token) => {
    const { asker, place, replaces = false } = to
    const { containerId, grantee, flags = [] } = ask
    const { workspaceId, userId } = asker

    const [{ people: named, problems }, all, invited, ends] = await Promise.all([
      findRecipients(house, grantee === undefined ? [] : [grantee]),
      listFor(house, { owner: asker, token }, containerId),
      readInvites(house, token, containerId),
      house.storage.ends.list({ workspaceId, ref: refOfContainer(containerId) }),
    ])

    house.audit.lookedUp({
      workspaceId,
      userId,
      containerId,
      outcome: 'done',
    })

    const container = containerInWords(house, asker, containerId)
    if (problems.length > 0) throw new UserError(problems.join(' '))

    const email = named[0]?.email
    const isMeant = ({ email: theirs = '', permissions }: Listed) => {
      const isThem = email === undefined || isSameAddress(theirs, email)
      return isThem && flags.every((flag) => permissions.includes(flag))
    }

    const people = all.filter(isMeant)
    // The service shows invitations only to whoever may manage access: for others, there are none.
    const invites = typeof invited === 'string' ? [] : invited.filter(isMeant)
    if (email !== undefined && people.length + invites.length === 0)
      throw new UserError(inVain.unseen(nameOf({ email }), container, containerId))

    const list = renderWho(house.config.roles, {
      container,
      total: all.length,
      people,
      invites,
      ends,
      ask,
    })

    await house.slack.privately(place, list, { replaces })
  })
}

/** *Show more*: shows the next page in place of the page with the button. */
export async function showMoreWho(house: House, pressed: ActionRequest): Promise<void> {
  const ask = readWhoLine(pressed.value)
  if (ask !== undefined) await listWho(house, { ...pressed, replaces: true }, ask)
}

/** *Change…* and *Remove…* beside a name: does what `/grant change` and `/grant remove` do for whoever presses. */
export async function editListed(house: House, pressed: ActionRequest): Promise<void> {
  const [what, container = '', user = ''] = pressed.value.split(' ')
  const containerId = readId(container)
  const userId = readId(user)
  if (containerId === undefined || userId === undefined) return

  const sought = soughtBy(house, pressed.asker, userId)
  if (what === 'change') return openChangeForm(house, pressed, containerId, sought)

  const terms = { kind: 'remove', containerId, permissions: [] } as const
  await askToChange(house, pressed, { id: randomUUID(), terms, sought: [sought] })
}

/** *Withdraw invitation*, beside each invitation. */
export async function uninvite(house: House, pressed: ActionRequest): Promise<void> {
  const [id = '', email = ''] = pressed.value.split(' ')
  const containerId = readId(id)
  if (containerId === undefined || !isEmail(email)) return

  const access = {
    kind: 'uninvite',
    containerId,
    permissions: [],
    people: [{ email }],
  } as const

  await askOrSend(house, pressed, { id: randomUUID(), access })
}
