// The gallery's doctor: what it finds, from a bot that is well to one of which little works.
import type { Check, Finding } from '../../../../src/doctor/checks/check.ts'
import { scopeFindings } from '../../../../src/doctor/checks/slack.ts'
import { renderExamined } from '../../../../src/doctor/render.ts'
import { type Entry, flow, forYou, onPhone } from '../stage/entry.ts'
import { asOf } from '../stage/sample.ts'
import { database, settings } from './doctor-bellhop.ts'
import { findingsOf, part } from './doctor-lines.ts'
import { account, deadService, wellService } from './doctor-service.ts'
import { presence, transport, wellToken } from './doctor-slack.ts'

/** The versions of the gallery stay the same. */
const versions: Finding = {
  name: 'Versions',
  state: 'green',
  found: 'Bellhop 0.1.0 on Node 24.21.0, linux.',
}

async function examined(...rest: readonly Check[]): Promise<readonly Finding[]> {
  const slack = [wellToken, transport({ kind: 'socket', isConnected: true }), presence(async () => 'member')]
  return [...(await findingsOf([...slack, ...rest])), versions]
}

const well = await examined(wellService, account('token', 'not-found'), database(), settings())
const apart = await examined(wellService, account(undefined, 'not-found'), database(), settings())
const trouble = await examined(deadService, account(undefined, 'not-found'), database(), settings())

const off = scopeFindings(new Set()).filter(({ state }) => state !== 'green')
const tooMany = [off, off, off, off].flat()

/** What is found, and the button below. */
const found = (findings: readonly Finding[]) =>
  renderExamined({ findings, asOf, wayBack: 'not-tried', places: [] })

export const doctor: readonly Entry[] = [
  forYou('Doctor: all is well', 'Somebody types `/alert doctor`.', found(well)),
  onPhone(forYou('Doctor: something to mend', 'The same when the service is down.', found(trouble))),
  part('Doctor: something to know', 'Its headline where nothing is red.', found(apart), 0),
  part(
    'Doctor: the way back is proven',
    'Somebody presses Test the way back: the button makes way for a line.',
    renderExamined({ findings: [], asOf, wayBack: { tookMs: 240 }, places: [] }),
    1,
  ),
  // Behind them: the way back, the note, and the text for a ticket.
  part(
    'Doctor: more than a message holds',
    'More things are amiss than fit into one message.',
    found(tooMany),
    -4,
  ),
  flow(
    'Doctor takes nothing after it',
    'Somebody types `/alert doctor please`.',
    async ({ alice, onCall }) => {
      await alice.types('/alert doctor please', onCall)
      return alice.sees('Nothing goes after', onCall)
    },
  ),
]
