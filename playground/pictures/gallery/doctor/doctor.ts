// The gallery's doctor: what it finds, from a bot that is well to one of which little works.

import type { Check, Finding } from '../../../../src/doctor/checks/check.ts'
import { scopeFindings } from '../../../../src/doctor/checks/slack.ts'
import {
  checksRunningModal,
  detailsModal,
  type Examined,
  renderExamined,
  shownTo,
  ticketModal,
} from '../../../../src/doctor/render.ts'
import type { View } from '../../../../src/slack/outbound/message.ts'
import { asLine, type Entry, flow, forYou, modal, onPhone } from '../stage/entry.ts'
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
const farTooMany = Array.from({ length: 12 }, () => off).flat()

function seen(findings: readonly Finding[], button: Examined['button'] = 'untested'): Examined {
  return { findings, asOf, button, places: [] }
}
const pressed = { tookMs: 240 }

/** As somebody reads them who is no admin. */
const asOthers = (findings: readonly Finding[]) =>
  shownTo(findings, { isAdmin: false, reference: '1a2b3c4d' })

/** What is above repeats itself for pages. */
const lastBlock = (view: View): View => ({ ...view, blocks: view.blocks.slice(-1) })

export const doctor: readonly Entry[] = [
  forYou('Doctor: all is well', 'Somebody types `/alert doctor`.', renderExamined(seen(well))),
  onPhone(
    forYou(
      'Doctor: something needs attention',
      'An admin types `/alert doctor` while the service is down.',
      renderExamined(seen(trouble)),
    ),
  ),
  forYou(
    'Doctor: something for whoever runs Bellhop',
    'Somebody who isn’t an admin types `/alert doctor` while the service is down.',
    renderExamined(seen(asOthers(trouble))),
  ),
  part(
    'Doctor: one thing needs attention',
    'The headline when nothing is red.',
    renderExamined(seen(apart)),
    0,
  ),
  part(
    'Doctor: a button was tested',
    'Somebody presses *Test a button*. This line replaces the button.',
    renderExamined(seen([], pressed)),
    1,
  ),
  part(
    'Doctor: a button was tested at no known time',
    'Somebody presses *Test a button*, and Slack doesn’t say when.',
    renderExamined(seen([], { tookMs: undefined })),
    1,
  ),
  // Behind it: the button, the other buttons, and when it was.
  part(
    'Doctor: more than a message holds',
    'More problems than fit into one message.',
    renderExamined(seen(tooMany)),
    -4,
  ),
  modal('Doctor: every line', 'Somebody presses *Details*.', detailsModal(seen(well, pressed))),
  asLine(
    modal(
      'Doctor: more lines than a form holds',
      'Somebody presses *Details*, and there are more lines than fit. This is the last one.',
      lastBlock(detailsModal(seen(farTooMany, pressed))),
    ),
  ),
  modal(
    'Doctor: the text for a ticket',
    'An admin presses *Text for a ticket* while the service is down.',
    ticketModal(seen(trouble, pressed)),
  ),
  asLine(
    modal('Doctor: the lines on their way', 'Somebody presses *Details*.', checksRunningModal('details')),
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
