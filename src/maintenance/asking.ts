// Answers `/alert maintenance`: finds what is meant and asks one question; or says what is in maintenance already, or lists
// it. In maintenance, monitoring tells nobody anything about a machine or a container.
import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { isKnownToLack } from '../account/rights.ts'
import { ownContainers } from '../alert/open.ts'
import { onlyReads } from '../alert/render/look-up.ts'
import { MonitorError, UserError } from '../errors.ts'
import { endsFor } from '../grant/granting.ts'
import { timesMeant } from '../grant/input/times.ts'
import { takeUntil } from '../grant/input/until.ts'
import type { House } from '../house.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { containerName, containersCalled } from '../names/containers.ts'
import type { Ends } from '../send/outcome.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import type { Account, Person } from '../slack/person.ts'
import { quote } from '../slack/text/typed.ts'
import { modeLine, readModeLine } from './input.ts'
import { endOf, minutesUntil } from './maintenance.ts'
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

/** The line behind `/alert maintenance`, raw. The ask is stored as JSON if it waits for an account. */
export interface ModeAsk {
  readonly line: string
}

const needsTime = (what = 'db-03') =>
  `Say for how long, at most 8 hours, as in /alert maintenance ${/\s/.test(what) ? `"${what}"` : what} for 2h.`
const needsTarget =
  'Say what to keep quiet: the name of a machine, as in /alert maintenance db-03 for 2h, or the number of a container. /alert maintenance 12 lists what is in maintenance there.'

export async function askMaintenance(house: House, from: From, ask: ModeAsk): Promise<void> {
  const { config, slack } = house
  if (!config.hasAllOperations) throw new UserError(onlyReads)

  const { what, isQuoted, isOff, time } = readModeLine(ask.line)
  await withToken(house, from, { feature: 'maintenance', ask }, async (token) => {
    const { asker, place } = from
    const reader = { owner: asker, token }

    // 1. What is meant. Without a time, a container is listed.
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
    const { target, mode, name } = await readTarget(house, reader, first)
    if (mode === 'disabled')
      throw new UserError(`${name} is disabled, which is changed in monitoring. Nothing was sent.`)

    const [quiet] = await quietAmong(house, asker, [target])
    if (quiet) return slack.privately(place, renderQuiet(quiet, house.now()))
    if (isOff) return slack.privately(place, say(`${name} isn’t in maintenance.`))

    // 3. Until when. “until 6” has two meanings: at most one of them is within eight hours, and the question shows which.
    const ends = await endMeant(house, asker, time)
    if (ends === undefined) throw new UserError(needsTime(what))

    const { container } = target
    if (await isKnownToLack(house, asker, container, modeFlag))
      throw new UserError(`You can’t do that: ${lacksFlag(nameIn(house, asker, { container }))}`)
    await askToBegin(house, from, reader, target, ends)
  })
}

/** Asks whether to begin maintenance. @param replaces - True if the question replaces the message that was pressed. */
export async function askToBegin(
  house: House,
  { asker, place }: From,
  reader: Account,
  target: ModeTarget,
  ends: Ends,
  replaces = false,
): Promise<void> {
  const { container, asset } = target
  const isWhole = asset === undefined
  const machines = isWhole ? (await house.assets.listed(reader, container))?.size : undefined
  const forMs = 'forMs' in ends ? ends.forMs : undefined
  const endsAt = endOf(ends, house.now())
  const question = renderQuestion(
    { id: randomUUID(), container, asset, endsAt, forMs },
    nameIn(house, asker, target),
    containerName(house, asker, container) ?? `container ${container}`,
    machines,
  )
  await house.slack.privately(place, question, { replaces })
}

/**
 * Reads the mode, the container and the name of what is meant, as they are now.
 * @param asked - For a machine, its container may be unknown (0), or out of date.
 * @throws UserError if this token doesn’t show the target; MonitorError if the service doesn’t answer.
 */
export async function readTarget(house: House, reader: Account, asked: ModeTarget) {
  const shown = await house.assets.modeNow(reader, asked)
  if (shown === 'forbidden' || shown === 'not-found')
    throw new UserError(unreadWords(shown, nameIn(house, reader.owner, asked)))
  if (typeof shown === 'string') throw new MonitorError(shown, 'The mode could not be read.')

  const { container, mode } = shown
  const target = { container, asset: asked.asset }
  return { target, mode, name: await nameLearned(house, reader, target) }
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
 * Finds what somebody may mean: a container or a machine by number, the machine of an alert by its key, or all that have
 * the typed name. If nothing is typed, the container that the channel follows, or else the one used last.
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

/** The end that was typed; undefined if it can’t be read, or is more than eight hours away. */
async function endMeant(
  house: House,
  asker: Person,
  time: readonly string[],
): Promise<Ends | undefined> {
  const now = house.now()
  const { ends: typed, rest, problems } = takeUntil(time)
  const isExact = typed !== undefined && rest.length + problems.length === 0
  const exact = isExact && (await endsFor(house, asker, typed))

  const zone = await house.slack.people.zoneOf(asker.userId)
  const spoken = exact ? [] : await timesMeant(time.join(' '), { zone, now })
  const meant = exact ? [exact] : spoken.map(({ ends }) => ends)

  return meant.find((one) => minutesUntil(endOf(one, now), now) !== undefined)
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
