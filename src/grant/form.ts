// Opens the form for access, filled in with what somebody typed, or with the access that somebody has; redraws it for a
// chosen role, and acts on what is submitted.

import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords, containerName } from '../names/containers.ts'
import { type AccessWrite, fingerprintOf } from '../send/outcome.ts'
import type { Reason } from '../send/request.ts'
import { unlessSlackFails } from '../slack/client.ts'
import type { ActionRequest, From, Submission } from '../slack/guard/requests.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { hourMs } from '../work/durations.ts'
import { inTime } from '../work/under-way.ts'
import { nameOf, type Sought, writesOf } from './access.ts'
import { formMemory, readFormMemory } from './form-memory.ts'
import { askOrSend, askToChange, endsFor, findRecipients } from './granting.ts'
import type { Prefill } from './input/line.ts'
import { listFor, personIn, soughtBy } from './people.ts'
import { changeModal, grantModal, readChangeForm, readForm, withRole } from './render/form.ts'
import { inVain } from './render/receipt.ts'
import { understand } from './understand.ts'

type Opening = From & Pick<ActionRequest, 'triggerId'>

/** Opens the grant form. @param about - The alert that the access is for, if any. */
export async function openForm(
  house: House,
  { triggerId, place, asker }: Opening,
  prefill: Partial<Prefill> = {},
  about?: Reason,
): Promise<void> {
  const found = await unlessSlackFails(
    inTime(findRecipients(house, prefill.grantees ?? []), foundMs),
  )

  const grantees = found?.people.map(({ email }) => email) ?? prefill.grantees ?? []

  const { containerId: id } = prefill
  const container = id === undefined ? undefined : { id, name: containerName(house, asker, id) }

  const where = about?.isForAll ? ' The result will appear in the alert’s thread.' : ''
  const notes = [
    ...(found?.problems ?? [unknownPerson]),
    ...(found?.origins ?? []),
    ...(about === undefined ? [] : [`For ${cut(about.name, 300)}.${where}`]),
  ]

  const typed = await endsFor(house, asker, prefill.ends)
  // Four hours are proposed for access that an alert needs.
  const ends = typed ?? (about && { forMs: 4 * hourMs })
  const zone = ends && 'at' in ends ? await house.slack.people.zoneOf(asker.userId) : undefined

  const form = grantModal(
    formMemory(randomUUID(), place, about),
    {
      ...prefill,
      grantees,
      ends,
      zone,
    },
    container,
    house.config,
    notes,
  )

  await house.slack.openView(triggerId, form)
}

/** Most time for reads before the form opens: Slack gives three seconds for all of it. */
const foundMs = 1_200
const unknownPerson =
  'Couldn’t look that person up in Slack right now. Type their email address instead.'

/** *Change…*: opens the form with what somebody has on a container. @throws UserError if they can’t be changed there. */
export async function openChangeForm(
  house: House,
  pressed: Opening,
  containerId: number,
  sought: Sought,
  about?: Reason,
): Promise<void> {
  const { asker, place, triggerId } = pressed
  const token = await house.tokens.find(asker)
  if (token === undefined) throw new UserError(inVain.noAccount)

  const list = await inTime(listFor(house, { owner: asker, token }, containerId), foundMs)
  if (list === undefined) throw new UserError(inVain.notRead)

  const where = containerInWords(house, asker, containerId)
  const them = personIn(list, sought)
  if (them === undefined) throw new UserError(inVain.unseen(nameOf(sought), where, containerId))
  if (them.inherit) throw new UserError(inVain.inherited(nameOf(sought), where))

  const state = formMemory(randomUUID(), place, about, { containerId, userId: them.id })
  await house.slack.openView(triggerId, changeModal(state, them, where, house.config))
}

/**
 * Redraws the form for a chosen role. If Slack fails, the form stays as it is: submitted like this, it still gives the
 * role’s flags.
 */
export async function redrawForm({ slack, config }: House, { view }: ActionRequest): Promise<void> {
  const changed = view && withRole(view, config.roles)
  if (changed) await unlessSlackFails(slack.updateView(view.id, changed, view.hash))
}

/** *Open the form*: with all that was understood of the line in the button’s value. */
export async function openOfferedForm(house: House, pressed: ActionRequest): Promise<void> {
  const found = await understand(house, pressed.asker, pressed.value)
  const ask = found.kind === 'meant' ? found.ask : found
  const prefill = 'prefill' in ask ? ask.prefill : undefined

  const { containerId, grantees: [only, ...others] = [] } = prefill ?? {}
  const isChange = ask.kind === 'unclear' && ask.command === 'change'
  if (!isChange || containerId === undefined || only === undefined || others.length > 0)
    return openForm(house, pressed, prefill)

  const { people, problems } = await findRecipients(house, [only])
  const [whom] = people
  if (whom === undefined) throw new UserError(problems.join(' '))

  return openChangeForm(house, pressed, containerId, whom)
}

export async function submitForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata, correct } = submission
  const { id: formId, place, about: reason, changed } = readFormMemory(privateMetadata, asker)
  const from = submission.moveTo(place)

  // A form that is submitted again with something else in it makes another request, with an id of its own.
  const idOf = (writes: readonly AccessWrite[]) => `${formId}-${fingerprintOf(writes).slice(0, 8)}`
  if (changed !== undefined) {
    const terms = readChangeForm(filled, house.config, changed.containerId)
    if ('problems' in terms) return correct(terms.problems)

    const ask = {
      id: idOf([{ ...terms, email: '' }]),
      terms,
      sought: [soughtBy(house, asker, changed.userId)],
      reason,
    }

    return submission.ackOnceKept(() => askToChange(house, from, ask))
  }

  const access = readForm(filled, house.config)
  if ('problems' in access) return correct(access.problems)

  const wanted = {
    id: idOf(writesOf(access)),
    access,
    reason,
  }

  await submission.ackOnceKept(() => askOrSend(house, { ...from, showsLine: true }, wanted))
}
