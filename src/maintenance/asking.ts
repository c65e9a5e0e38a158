// Answers `/alert maintenance`: asks one question about the machine or container that is meant or, without a time, lists
// what is in maintenance in a container. Monitoring tells nobody anything about a machine in maintenance.
import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { isKnownToLack } from '../account/rights.ts'
import { ownContainers } from '../alert/open.ts'
import { onlyReads } from '../alert/render/look-up.ts'
import { MonitorError, UserError } from '../errors.ts'
import { timesMeant } from '../grant/input/times.ts'
import type { House } from '../house.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { containerName, containersCalled } from '../names/containers.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import type { Account, Person } from '../slack/person.ts'
import { quote } from '../slack/text/typed.ts'
import { modeLine, readModeLine } from './input.ts'
import { minutesUntil } from './maintenance.ts'
import { nameIn, nameLearned, quietAmong, quietIn } from './names.ts'
import {
  lacksFlag,
  modeFlag,
  notShown,
  renderChoice,
  renderModes,
  renderQuestion,
  renderQuiet,
  unreadWords,
} from './render.ts'

/** The words behind `/alert maintenance`, raw. They are stored as JSON while their asker connects an account. */
export interface ModeAsk {
  readonly line: string
}

const needsTime = (what = 'db-03') =>
  `Say for how long, at most 8 hours, as in /alert maintenance ${/\s/.test(what) ? `"${what}"` : what} for 2h.`
const needsTarget =
  'Say what to keep quiet: the name of a machine, as in /alert maintenance db-03 for 2h, or the number of a container. /alert maintenance 12 lists what is in maintenance there.'

/** Answers `/alert maintenance`, in steps 1 to 3: with a list, a choice, a question, or why there is none. */
export async function askMaintenance(house: House, from: From, ask: ModeAsk): Promise<void> {
  const { config, slack } = house
  if (!config.hasAllOperations) throw new UserError(onlyReads)

  const { what, isQuoted, isOff, time } = readModeLine(ask.line)
  await withToken(house, from, { feature: 'maintenance', ask }, async (token) => {
    const { asker, place } = from
    const reader = { owner: asker, token }

    // 1. The machine or container that is meant. A container without a time: what is in maintenance there is listed.
    const meant = await targetsMeant(house, from, reader, what, isQuoted)
    const rest = isOff ? 'off' : time.join(' ')
    const [first, ...others] = meant
    if (first === undefined) throw new UserError(needsTarget)
    if (others.length > 0) {
      const choices = meant.map((one) => choiceOf(house, asker, one, rest))
      const sentence = `${meant.length} are called ${quote(what ?? '')}. Which one?`
      return slack.privately(place, renderChoice(sentence, choices))
    }
    if (rest === '' && first.asset === undefined)
      return listModes(house, from, reader, first.container)
    if (rest === '') throw new UserError(needsTime(what))

    // 2. The mode of the target now.
    const found = await readTarget(house, reader, first)
    if (found === 'refused') throw new MonitorError(found, 'The mode could not be read.')
    if (typeof found === 'string')
      throw new UserError(unreadWords(found, nameIn(house, asker, first)))

    const { target, name, whyNot } = found
    if (whyNot) return slack.privately(place, whyNot)
    if (isOff) return slack.privately(place, say(`${name} isn’t in maintenance.`))

    // 3. The end. “until 6” may be 6:00 or 18:00: at most one of them is within eight hours, and the question names it.
    const endsAt = await endMeant(house, asker, time)
    if (endsAt === undefined) throw new UserError(needsTime(what))

    const { container } = target
    if (await isKnownToLack(house, asker, container, modeFlag))
      throw new UserError(`You can’t do that: ${lacksFlag(nameIn(house, asker, { container }))}`)

    await askToBegin(house, from, reader, target, endsAt)
  })
}

/** Asks whether to begin maintenance. @param replaces - True if the question replaces the message that was pressed. */
export async function askToBegin(
  house: House,
  { asker, place }: From,
  reader: Account,
  target: ModeTarget,
  endsAt: number,
  replaces = false,
): Promise<void> {
  const { container, asset } = target
  const isWhole = asset === undefined
  const machines = isWhole ? (await house.assets.listed(reader, container))?.size : undefined
  const question = renderQuestion(
    { ...target, id: randomUUID(), endsAt, forMs: endsAt - house.now() },
    nameIn(house, asker, target),
    containerName(house, asker, container) ?? `container ${container}`,
    machines,
  )
  await house.slack.privately(place, question, { replaces })
}

/**
 * Reads a machine or a container as it is now.
 * @param asked - The number of a machine’s container may be unknown (0), or out of date.
 * @returns `whyNot`: its maintenance can’t begin, as it is disabled or in maintenance. A code: the target can’t be read.
 */
export async function readTarget(house: House, reader: Account, asked: ModeTarget) {
  const shown = await house.assets.modeNow(reader, asked)
  if (typeof shown === 'string') return shown

  const target = { container: shown.container, asset: asked.asset }
  const name = await nameLearned(house, reader, target)
  const [quiet] = await quietAmong(house, reader.owner, [target])
  return { target, name, whyNot: quiet && renderQuiet(quiet, house.now()) }
}

function choiceOf(house: House, asker: Person, target: ModeTarget, rest: string) {
  const { container, asset } = target
  const where = nameIn(house, asker, { container })
  const name = nameIn(house, asker, target)
  const label = asset === undefined ? `All of ${where}` : `${name} · ${where} · asset ${asset}`

  return { label, line: modeLine(target, rest) }
}

const numbers = /^(\d{1,15})(?:\/(\d{1,15}))?$/

/**
 * Finds the machines and containers that somebody may mean: by a number, by an alert’s key, or all that have the typed name.
 * If nothing is typed, the container that the channel follows is meant, or else the one that the asker used last.
 * @throws UserError if nothing has the typed name.
 */
async function targetsMeant(
  house: House,
  { asker, place }: From,
  reader: Account,
  what: string | undefined,
  isQuoted: boolean,
): Promise<readonly ModeTarget[]> {
  const channel = place.isDirect ? undefined : place.channelId
  const { used, ids } = await ownContainers(house, asker, channel)
  if (what === undefined) return ids.slice(0, 1).map((container) => ({ container }))

  const [, container, asset] = (!isQuoted && numbers.exec(what)) || []
  if (container !== undefined)
    return [{ container: Number(container), asset: asset ? Number(asset) : undefined }]

  const at = await house.storage.places.find(asker.workspaceId, what)
  if (at !== undefined) return [{ container: at.container ?? 0, asset: at.asset }]

  const { found, looked } = await house.assets.search(reader, what, ids)
  const meant = [
    ...containersCalled(what, used).map((id) => ({ container: id })),
    ...found.map(({ id, container: there }) => ({ container: there, asset: id })),
  ]
  if (meant.length > 0) return meant

  const where = looked.map((container) => nameIn(house, asker, { container })).join(', ')
  const nothing = where === '' ? 'I know no machine' : `Nothing in ${where} is`
  throw new UserError(
    `${nothing} called ${quote(what)}. Type the name of a machine or the number of a container. If it’s an alert’s key, I don’t know its machine yet.`,
  )
}

/** The end that was typed, in milliseconds since 1970. Undefined if it can’t be read, or is more than eight hours away. */
async function endMeant(
  house: House,
  asker: Person,
  time: readonly string[],
): Promise<number | undefined> {
  const now = house.now()
  const zone = await house.slack.people.zoneOf(asker.userId)
  const meant = await timesMeant(time.join(' '), { zone, now })

  return meant
    .map(({ ends }) => ('at' in ends ? ends.at : now + ends.forMs))
    .find((endsAt) => minutesUntil(endsAt, now) !== undefined)
}

/** *Show more*: the next page replaces the list above the button. */
export async function showMoreModes(house: House, pressed: ActionRequest): Promise<void> {
  const [container = 0, after = 0] = pressed.value.split(' ').map(Number)
  const ask = { line: String(container) }
  await withToken(house, pressed, { feature: 'maintenance', ask }, (token) =>
    listModes(house, pressed, { owner: pressed.asker, token }, container, after),
  )
}

/** Lists what isn’t monitored as usual in a container, the container itself included, as it is now. */
async function listModes(
  house: House,
  { place }: From,
  reader: Account,
  container: number,
  after = 0,
): Promise<void> {
  const name = await nameLearned(house, reader, { container })
  const all = await quietIn(house, reader, container, house.now())
  if ((await house.assets.listed(reader, container)) === undefined)
    throw new UserError(`I can’t: ${notShown(`container ${container}`)}`)

  const list = renderModes(name, container, all, house.now(), after)
  await house.slack.privately(place, list, { replaces: after > 0 })
}
