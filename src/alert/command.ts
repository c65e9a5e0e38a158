// The words of `/alert`, wherever they are written.
import { UserError } from '../errors.ts'
import type { Command, CommandRequest } from '../slack/guard/requests.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { type AlertAsk, parseAlert } from './input.ts'
import type { LookUps } from './look-up.ts'
import { lookupModal } from './modal.ts'
import { renderFormOffer, renderHelp } from './render/help.ts'
import type { SetStyle } from './style.ts'

type Answer = (request: CommandRequest) => Promise<void>

/** What changes nothing may come twice, and is answered while nothing can be written down. */
const tellingKinds: ReadonlySet<AlertAsk['kind']> = new Set(['help', 'form', 'watches', 'doctor', 'problem'])

export function createAlertCommand(room: {
  readonly lookUps: Pick<LookUps, 'lookUp'>
  readonly setStyle: SetStyle
  readonly outbound: PerWorkspace<Pick<Outbound, 'openView'>>
  readonly alertUrl: string | undefined
  /** `/alert connect` and `/alert disconnect`, which accounts answer. */
  readonly connect: Answer
  readonly disconnect: Answer
  /** `/alert watches`. */
  readonly listWatches: Answer
  /** `/alert doctor`. */
  readonly examine: Answer
  /** `/alert settings`. */
  readonly openSettings: Answer
}): Command<AlertAsk> {
  const { lookUps, setStyle, outbound, alertUrl } = room

  async function openForm({ asker, triggerId, answer }: CommandRequest): Promise<void> {
    if (triggerId === undefined) return answer(renderFormOffer())
    await outbound.in(asker.workspaceId).openView(triggerId, lookupModal(alertUrl !== undefined))
  }

  async function answer(request: CommandRequest, ask: AlertAsk): Promise<void> {
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

  return {
    parse: (line) => parseAlert(line, alertUrl),
    // Whoever wants their token forgotten need not wait for it.
    isFree: ({ kind }) => kind === 'disconnect',
    onlyTells: ({ kind }) => tellingKinds.has(kind),
    run: answer,
  }
}
