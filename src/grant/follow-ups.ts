// Follow-ups of a grant, once its outcome is known: the audit trail, the figures and the log's line of what became of each
// person; and a notice to whoever got access.
//
// The notice is a direct message for each send that was granted, never for oneself. Its reader learns who gave
// it and on which container: no flags, no reason. They are found by their address alone, where one full member of the
// workspace has it.
import type { Entry } from '../audit/trail.ts'
import type { House } from '../house.ts'
import { endsAs, type RequestOutcome } from '../log/log.ts'
import { grantsTotal } from '../metrics/metrics.ts'
import { containerInWords } from '../names/containers.ts'
import { asAddUser, calledBy, type Settled } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import type { Kind, Noted } from '../send/send.ts'
import { postLate } from '../send/telling.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { type Message, sayMarked } from '../slack/outbound/message.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'
import { type Result, resultsOf } from './access.ts'
import { addSomebody } from './add.ts'
import { receiptFor } from './receipts.ts'
import { lateNote } from './render/receipt.ts'

/** Follow-ups of requests for access. */
export const grantKind: Kind = {
  perform: addSomebody,
  async record(house, kept, send, outcome, noted) {
    await house.audit.record(auditEntry(kept, send, outcome, noted))
    // What is there may be anybody's doing: nobody is named as its giver.
    const isTheirs = outcome.kind === 'done' && outcome.on !== 'unsaid'
    if (isTheirs) void tellRecipient(house, kept, send)
  },
  async tellLate(house, kept) {
    const notes = { canShare: false, note: lateNote(kept) }
    await postLate(house, kept.sender.userId, receiptFor(house, kept.sender, kept, notes))
  },
  count(request, told) {
    // Of an approval, each attempt.
    const isTried = request.end === 'sent' || request.state === 'requested'
    const results = isTried ? resultsOf(request) : []
    for (const { outcome } of results) {
      const reason = 'code' in outcome ? outcome.code : 'cause' in outcome ? outcome.cause : 'none'
      grantsTotal.inc({ outcome: outcome.kind, reason, told })
    }
    if (told === 'at_once' && results.length > 0) endsAs(requestOutcome(results))
  },
}

/** How the request ends that has told this. */
function requestOutcome(results: readonly Result[]): RequestOutcome {
  if (results.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = results.filter(({ outcome }) => outcome.kind === 'done')
  if (granted.length > 0) return granted.length === results.length ? 'ok' : 'partly'
  const code = results.flatMap(({ outcome }) => (outcome.kind === 'not-done' ? [outcome.code] : []))[0]
  // Nothing was sent for anybody, as Bellhop was stopped.
  return code === undefined ? 'stopped' : `service-${code}`
}

/** A second outcome, of a sender that was taken for dead or of a look, is another entry. */
function auditEntry(kept: Request, { n, write }: Send, settled: Settled, noted: Noted): Entry {
  const outcome = calledBy(settled)
  const { id, askerId, sender, sends, attempt, approval } = kept
  const { containerId, email, permissions, member, authProvider, there } = asAddUser(write)
  const { had = there?.permissions, has } = noted
  const what = { containerId, email, permissions, member, authProvider, had, has }
  // Each attempt of an approval is on record by itself.
  const attemptId = approval === undefined ? id : `${id}:${attempt}`
  const reference = sends.length === 1 ? attemptId : `${attemptId}.${n}`
  const approved = askerId === sender.userId ? {} : { userId: askerId, approverId: sender.userId }
  const key = `grant:${reference}:${outcome}`
  return { ...sender, ...what, ...approved, key, act: 'grant', outcome, reference }
}

/**
 * Tells the person of a send that was granted, beside whatever is under way: a stop waits for it, and nobody else does.
 * Never rejects: a notice that fails is lost; one whose grant is recorded once more, after a crash, comes twice.
 */
async function tellRecipient(house: House, { sender, askerId }: Request, { write }: Send): Promise<void> {
  const { slack } = house
  const { email, containerId, there } = asAddUser(write)
  const tell = async () => {
    const recipientId = await unlessSlackFails(slack.people.memberWith(email), ['missing_scope'])
    if (recipientId === undefined || recipientId === sender.userId || recipientId === askerId) return
    const giver = await slack.people.inLine(sender.userId)
    const container = containerInWords(house, sender, containerId) ?? `container ${containerId}`
    await slack.post(recipientId, renderNotice(giver, container, there !== undefined))
  }
  await slack.work
    .run(tell)
    .catch((error: unknown) =>
      house.log.failedJob('warn', { err: error }, 'somebody who got access could not be told'),
    )
}

/** @param giver - As `personInLine` has them; undefined where Slack does not say. @param container - Raw. */
function renderNotice(giver: string | undefined, container: string, isMore: boolean): Message {
  const who = giver ?? 'A colleague'
  const news = `${who} gave you ${isMore ? 'more ' : ''}access to ${container} in monitoring.`
  return sayMarked(`${escapeText(news)} To look up its alerts in Slack, type \`/alert help\`.`)
}
