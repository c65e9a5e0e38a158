// Faults of the process and of its database server, each tried by a test of its own.
import type { FaultOfProcess } from './fault.ts'

const killed = 'test/full/faults-killed.test.ts'
const stopped = 'test/full/faults-stopped.test.ts'

export const processFaults: readonly FaultOfProcess[] = [
  {
    fault: '`kill -9` at each step of a grant (a dozen; on PostgreSQL three)',
    seen: 'a direct message with what became of it, or that it is not certain; nothing when it is killed within milliseconds of the command',
    held: 'sent once at most; told, or told twice in the same words',
    triedBy: killed,
  },
  {
    fault: '`kill -9` at each step of a connect (about 20)',
    seen: 'connected, or a form that says to try again; a look-up that waited may have to be typed again',
    held: 'the token is kept sealed, or not at all',
    triedBy: killed,
  },
  {
    fault: '`kill -9` at each step of an approval (about 28)',
    seen: 'the end of it, or a request that is open still',
    held: 'granted once at most; the card and both people agree on the end',
    triedBy: killed,
  },
  {
    fault: 'SIGTERM at each of those steps',
    seen: 'the usual; an approval that had not been sent stays open, and says so',
    held: 'what is under way is finished and told once; exit code 0',
    triedBy: stopped,
  },
  {
    fault: '`kill -9` in the middle of several people',
    seen: 'one message: granted, not certain, never sent, and a button for the rest',
    held: 'each is sent once at most',
    triedBy: 'test/full/killed-batch.test.ts',
  },
  {
    fault: '`kill -9` while the news of a live card is posted',
    seen: 'the news, once; where the bot may not look, once more with a note',
    held: 'each action stands once, in order',
    triedBy: 'test/full/killed-watch.test.ts',
  },
  {
    fault: 'PostgreSQL crashes while people grant, and comes back',
    seen: 'the answer, up to 10 s later, or that something went wrong; a direct message, when something was sent',
    held: 'sent once at most; whatever was sent is told',
    triedBy: 'test/full/faults-postgres.test.ts',
  },
  {
    fault: 'PostgreSQL stops, crashes, falls silent, and comes back',
    seen: 'the answer, up to 10 s later',
    held: 'what was in doubt is not sent to it twice',
    triedBy: 'test/storage/postgres-lost.test.ts',
  },
]
