// The words of `/alert`, wherever they are written.
import { UserError } from '../errors.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { CommandRequest } from '../slack/requests.ts'
import { type AlertAsk, parseAlert } from './input.ts'
import type { LookUps } from './look-up.ts'
import { lookupModal } from './modal.ts'
import { renderFormOffer, renderHelp } from './render-help.ts'
import type { SetStyle } from './style.ts'

export type AlertCommand = (request: CommandRequest) => Promise<void>

/** Whoever wants their token forgotten need not wait for it. */
export function isDisconnect(text: string): boolean {
  return parseAlert(text, undefined).kind === 'disconnect'
}

/** What changes nothing may come twice, and is answered while nothing can be written down. */
export function onlyTells(text: string): boolean {
  return tellingKinds.has(parseAlert(text, undefined).kind)
}

const tellingKinds: ReadonlySet<AlertAsk['kind']> = new Set(['help', 'form', 'watches', 'doctor', 'problem'])

export function createAlertCommand(room: {
  readonly lookUps: Pick<LookUps, 'lookUp'>
  readonly setStyle: SetStyle
  readonly outbound: PerWorkspace<Pick<Outbound, 'openView'>>
  readonly alertUrl: string | undefined
  /** `/alert connect` and `/alert disconnect`, which accounts answer. */
  readonly connect: AlertCommand
  readonly disconnect: AlertCommand
  /** `/alert watches`. */
  readonly listWatches: AlertCommand
  /** `/alert doctor`. */
  readonly examine: AlertCommand
  /** `/alert settings`. */
  readonly openSettings: AlertCommand
}): AlertCommand {
  const { lookUps, setStyle, outbound, alertUrl } = room

  async function openForm({ asker, triggerId, answer }: CommandRequest): Promise<void> {
    if (triggerId === undefined) return answer(renderFormOffer())
    await outbound.in(asker.workspaceId).openView(triggerId, lookupModal(alertUrl !== undefined))
  }

  return async (request) => {
    const ask = parseAlert(request.text, alertUrl)
    switch (ask.kind) {
      case 'help':
        return request.answer(renderHelp(alertUrl))
      case 'connect':
        return room.connect(request)
      case 'disconnect':
        return room.disconnect(request)
      case 'watches':
        return room.listWatches(request)
      case 'doctor':
        return room.examine(request)
      case 'settings':
        return room.openSettings(request)
      case 'style':
        return setStyle(request, ask.style)
      case 'form':
        return openForm(request)
      case 'problem':
        throw new UserError(ask.problem)
      case 'look-up':
        return lookUps.lookUp(request, ask)
      default:
        return ask satisfies never
    }
  }
}
