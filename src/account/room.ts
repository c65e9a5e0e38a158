// The room of accounts: everything that connecting somebody needs from the rest of the program, declared once.
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { About } from '../log/request.ts'
import type { Monitor } from '../monitor/client.ts'
import type { AnswerForm } from '../slack/guard/answer-form.ts'
import type { Guard } from '../slack/guard/guard.ts'
import type { Once } from '../slack/guard/once.ts'
import type { Clock, PerWorkspace } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { WaitingWords } from '../slack/request-topics.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Work } from '../work/under-way.ts'
import type { LinkRoom } from './links.ts'
import type { Accounts, Tokens, WaitingCommands } from './tokens.ts'
import type { Vault } from './vault.ts'

export interface AccountRoom {
  readonly accounts: Pick<Accounts, 'notAskedFor' | 'noteAsked'>
  readonly tokens: Tokens
  readonly waiting: WaitingCommands
  readonly waitingWords: Readonly<Record<About, WaitingWords>>
  readonly vault: Vault
  /** The page where people enter tokens; undefined without `PUBLIC_URL`, when they use a form. */
  readonly page: LinkRoom | undefined
  readonly monitor: Pick<Monitor, 'readAlert' | 'tryToken'>
  readonly audit: Pick<Audit, 'record'>
  readonly delivery: Pick<Delivery, 'privately'>
  readonly outbound: PerWorkspace<Outbound>
  readonly people: PerWorkspace<Pick<People, 'identityOf' | 'hasLeft'>>
  readonly guard: Pick<Guard, 'tellingFailures'>
  readonly answerForm: AnswerForm
  /** A stop waits for work that a page has started. */
  readonly work: Pick<Work, 'track'>
  /** Of several processes, one asks Slack who has left. */
  readonly once: Pick<Once, 'claim'>
  /** Once it is aborted, Bellhop asks Slack about nobody else. */
  readonly stopping: AbortSignal
  readonly log: Log
  readonly now: Clock
}
