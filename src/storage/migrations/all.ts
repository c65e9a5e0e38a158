// Every migration, oldest first. Names sort in this order and never change.
import type { Migration } from 'kysely/migration'
import { core } from './0001-core.ts'
import { watches } from './0002-watches.ts'
import { batches } from './0003-batches.ts'
import { approvals } from './0004-approvals.ts'
import { audit } from './0005-audit.ts'
import { threads } from './0006-threads.ts'
import { once } from './0007-once.ts'
import { recent } from './0008-recent.ts'
import { about } from './0009-about.ts'
import { approvalThreads } from './0010-approval-threads.ts'
import { installations } from './0011-installations.ts'
import { connectLinks } from './0012-connect-links.ts'
import { pastTokens } from './0013-past-tokens.ts'
import { keyChecks } from './0014-key-checks.ts'
import { sharedLimits } from './0015-shared-limits.ts'
import { askedAt } from './0016-asked-at.ts'
import { wishes } from './0017-wishes.ts'
import { alertLinks } from './0018-alert-links.ts'
import { toldDirectly } from './0019-told-directly.ts'
import { approvalNews } from './0020-approval-news.ts'
import { targets } from './0021-targets.ts'
import { notices } from './0022-notices.ts'
import { looks } from './0023-looks.ts'
import { namesShown } from './0024-names.ts'
import { cardsInThreads } from './0025-cards-in-threads.ts'
import { actSequels } from './0026-act-sequels.ts'
import { peopleLooks } from './0027-people-looks.ts'
import { requestNames } from './0028-request-names.ts'
import { cardDrawings } from './0029-card-drawings.ts'
import { whoIsWho } from './0030-who-is-who.ts'

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-core': core,
  '0002-watches': watches,
  '0003-batches': batches,
  '0004-approvals': approvals,
  '0005-audit': audit,
  '0006-threads': threads,
  '0007-once': once,
  '0008-recent': recent,
  '0009-about': about,
  '0010-approval-threads': approvalThreads,
  '0011-installations': installations,
  '0012-connect-links': connectLinks,
  '0013-past-tokens': pastTokens,
  '0014-key-checks': keyChecks,
  '0015-shared-limits': sharedLimits,
  '0016-asked-at': askedAt,
  '0017-wishes': wishes,
  '0018-alert-links': alertLinks,
  '0019-told-directly': toldDirectly,
  '0020-approval-news': approvalNews,
  '0021-targets': targets,
  '0022-notices': notices,
  '0023-looks': looks,
  '0024-names': namesShown,
  '0025-cards-in-threads': cardsInThreads,
  '0026-act-sequels': actSequels,
  '0027-people-looks': peopleLooks,
  '0028-request-names': requestNames,
  '0029-card-drawings': cardDrawings,
  '0030-who-is-who': whoIsWho,
}
