// The gallery's messages about accounts: asking for one, connecting, disconnecting.
import {
  checkingModal,
  checkToken,
  connectAnytime,
  connectButton,
  connectedModal,
  connectLinkButton,
  connectLinkModal,
  connectModal,
  connectReason,
  linkIsOver,
  renderConnectFirst,
  renderDisconnected,
  renderWaitedTooLong,
  tokenInputAt,
} from '../../../../src/account/render.ts'
import { alertWaits } from '../../../../src/alert/render/no-card.ts'
import { askApprovalButton } from '../../../../src/grant/render/confirm.ts'
import { grantWaits } from '../../../../src/grant/render/explain.ts'
import type { Message } from '../../../../src/slack/outbound/message.ts'
import { withoutLinks } from '../../../../src/slack/outbound/readably.ts'
import { asLine, type Entry, flow, forYou, modal } from '../stage/entry.ts'
import { bobToken, modalSaying, type Stage } from '../stage/stage.ts'

/** As it is where `PUBLIC_URL` is set. */
const pageButton = connectLinkButton({ url: 'https://bellhop.example.com/connect/once', value: 'once' })

/** As Slack gets it once it has refused the button’s address. */
function withoutButton({ text, blocks }: Message): Message {
  return { text, blocks: withoutLinks(blocks) }
}

export const connectFirst: readonly Entry[] = [
  forYou(
    'No account, for an alert',
    'Somebody without an account asks for an alert.',
    renderConnectFirst(connectButton('waiting'), connectReason('none', alertWaits)),
  ),
  forYou(
    'No account, where there is a page',
    'The same, if `PUBLIC_URL` is set. The button opens a page in the browser.',
    renderConnectFirst(pageButton, connectReason('none', alertWaits)),
  ),
  asLine(
    forYou(
      'No account, where Slack takes no link to the page',
      'The same, if Slack refuses the button’s address, such as one on your own network. They can copy it instead.',
      withoutButton(renderConnectFirst(pageButton, connectReason('none', alertWaits))),
    ),
  ),
  forYou(
    'No account, for a grant',
    'Somebody without an account wants to grant access.',
    renderConnectFirst(
      connectButton('waiting'),
      connectReason('none', grantWaits),
      askApprovalButton('grant'),
    ),
  ),
  forYou(
    'Token refused, for an alert',
    'The service no longer accepts the asker’s token.',
    renderConnectFirst(connectButton('waiting'), connectReason('refused', alertWaits)),
  ),
  forYou(
    'Token refused, for a grant',
    'The same for a grant.',
    renderConnectFirst(connectButton('waiting'), connectReason('refused', grantWaits)),
  ),
  forYou(
    'Connecting where no form opens',
    'Somebody writes `@Bellhop connect`. Slack opens forms only for commands and buttons.',
    renderConnectFirst(connectButton(), connectAnytime),
  ),
  forYou(
    'Waited too long',
    'Somebody connected more than 15 minutes after they asked for an alert.',
    renderWaitedTooLong(),
  ),
]

function mistyped(name: string, when: string, typed: string): Entry {
  const checked = checkToken(typed.trim())
  const errors = 'problem' in checked ? { [tokenInputAt(0)]: checked.problem } : {}
  return modal(name, when, connectModal(''), { typed: { [tokenInputAt(0)]: typed }, errors })
}

async function opensForm({ bob, onCall }: Stage): Promise<void> {
  await bob.types('/alert connect', onCall)
  await bob.seesModal('Connect account')
}

/** A try to connect that ends with the form, and why not on top. */
function notConnected(name: string, when: string, happens: (stage: Stage) => Promise<void>): Entry {
  return flow(name, when, async (stage) => {
    await opensForm(stage)
    await happens(stage)
    return modalSaying('Not connected.', stage.bob, stage)
  })
}

export const connecting: readonly Entry[] = [
  modal('Connect account', 'Somebody types `/alert connect`, or presses Connect account.', connectModal('')),
  modal(
    'Connect account, where there is a page',
    'Somebody presses Connect account on the Home tab, and `PUBLIC_URL` is set.',
    connectLinkModal(pageButton, connectAnytime),
  ),
  modal(
    'An expired link',
    'Somebody presses Connect account after its link was used or expired.',
    connectLinkModal(pageButton, linkIsOver),
  ),
  mistyped('Connect account, nothing typed', 'They typed only spaces.', ' '),
  mistyped('Connect account, not a token', 'The pasted text can’t be a token.', 'two words'),
  notConnected('Not connected: unknown token', 'The service doesn’t know the token.', async ({ bob }) => {
    await bob.submits({ fields: { 'API token': 'mistyped' } })
  }),
  notConnected('Not connected: no answer', 'The service can’t be reached.', async ({ bob, service }) => {
    await service.trouble.down()
    await bob.submits({ fields: { 'API token': bobToken } })
  }),
  notConnected(
    'Not connected: disconnected meanwhile',
    'They disconnect while Bellhop tests their token.',
    async ({ bob, service, slack, onCall }) => {
      service.trouble.slow(400)
      await bob.submits({ fields: { 'API token': bobToken } })
      await bob.types('/alert disconnect', onCall)
      await slack.idle()
    },
  ),
  notConnected(
    'Not connected: a defect',
    'Something fails in Bellhop itself. They also get a message with a reference.',
    async ({ bob, loseTable }) => {
      loseTable('accounts')
      await bob.submits({ fields: { 'API token': bobToken } })
    },
  ),
  modal('Checking', 'Bellhop tests the token at the service.', checkingModal()),
  modal(
    'Connected',
    'The service accepted the token, and nothing is waiting.',
    connectedModal(false, 'nothing-waits'),
  ),
  modal(
    'Connected, and it continues',
    'Bellhop finishes what they asked for before.',
    connectedModal(false, 'goes-on'),
  ),
  modal(
    'Connected, nothing kept',
    'Bellhop no longer has what they asked for before.',
    connectedModal(false, 'not-kept'),
  ),
  modal(
    'Connected, waited too long',
    'Their request is older than 15 minutes.',
    connectedModal(false, 'waited-too-long'),
  ),
  modal(
    'Connected, permissions missing',
    'The service accepts the token, but says that it lacks permission.',
    connectedModal(true, 'nothing-waits'),
  ),
  flow(
    'Connected, the modal closed',
    'They closed the modal while Bellhop tested the token.',
    async ({ service, ...stage }) => {
      await opensForm({ service, ...stage })
      service.trouble.slow(300)
      await stage.bob.submits({ fields: { 'API token': bobToken } })
      await stage.bob.closes()
      return stage.bob.sees('Connected.', stage.bob.dm)
    },
  ),
  flow(
    'Not connected, the modal closed',
    'They closed the modal while Bellhop tested the token, and the service refused it.',
    async ({ service, ...stage }) => {
      await opensForm({ service, ...stage })
      service.trouble.slow(300)
      await stage.bob.submits({ fields: { 'API token': 'mistyped' } })
      await stage.bob.closes()
      return stage.bob.sees('Not connected.', stage.bob.dm)
    },
  ),
]

export const disconnecting: readonly Entry[] = [
  forYou('Disconnected', 'Somebody types `/alert disconnect`.', renderDisconnected(true)),
  forYou(
    'Nothing to disconnect',
    'Somebody without an account types `/alert disconnect`.',
    renderDisconnected(false),
  ),
]
