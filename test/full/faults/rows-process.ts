// Faults of the process and of its database server, each tried by a test of its own.
import type { FaultOfProcess } from './fault.ts'

const killed = 'test/full/faults-killed.test.ts'
const killedActing = 'test/full/faults-acting.test.ts'
const stopped = 'test/full/faults-stopped.test.ts'

export const processFaults: readonly FaultOfProcess[] = [
  {
    fault: '`kill -9` at each step of a grant (a dozen; on PostgreSQL three)',
    seen: 'a direct message with the outcome, or that it is not certain; nothing if Bellhop is killed within milliseconds of the command',
    held: 'sent once at most; reported, possibly twice in the same words',
    triedBy: killed,
  },
  {
    fault: '`kill -9` at each step of an assign, a comment or a close (20 to 35; on PostgreSQL 58)',
    seen: 'the result, or that it is not certain; nothing if Bellhop is killed within milliseconds of the command',
    held: 'sent once at most; _Assigned_, _Commented_ or _Closed_ only if monitoring shows it; recorded once',
    triedBy: killedActing,
  },
  {
    fault: '`kill -9` at each step of a connect (about 20)',
    seen: 'connected, or a form that asks them to try again; they may have to type a waiting look-up again',
    held: 'the token is stored encrypted, or not at all',
    triedBy: killed,
  },
  {
    fault: '`kill -9` at each step of an approval (about 28)',
    seen: 'the outcome, or a request that is still open',
    held: 'granted once at most; the card and both people get the same outcome',
    triedBy: killed,
  },
  {
    fault: 'SIGTERM at each of those steps',
    seen: 'the usual; an approval that wasn’t sent yet stays open, and says so',
    held: 'Bellhop finishes what is under way and reports it once; exit code 0',
    triedBy: stopped,
  },
  {
    fault: '`kill -9` in the middle of a grant for several people',
    seen: 'one message that says who got access, who is not certain and who was never sent, with a button for the rest',
    held: 'each grant is sent once at most',
    triedBy: 'test/full/killed-batch.test.ts',
  },
  {
    fault: '`kill -9` while Bellhop posts the news of a live card',
    seen: 'the news, possibly twice',
    held: 'each action appears at least once',
    triedBy: 'test/full/killed-watch.test.ts',
  },
  {
    fault: 'PostgreSQL crashes while people grant access, and comes back',
    seen: 'the answer, up to 10 s later, or that something went wrong; a direct message if something was sent',
    held: 'sent once at most; Bellhop reports whatever was sent',
    triedBy: 'test/full/faults-postgres.test.ts',
  },
  {
    fault: 'PostgreSQL stops, crashes or falls silent, and comes back',
    seen: 'the answer, up to 10 s later',
    held: 'Bellhop never repeats a statement that was in doubt',
    triedBy: 'test/storage/postgres-lost.long.test.ts',
  },
]
