// The books at the end of a soak: what was asked, what was told, and what the database and the service say, held against
// each other. Everything that does not add up is one sentence.

import type { Book, Open } from './book.ts'
import { checkCommands } from './books-commands.ts'
import { checkGrants } from './books-grants.ts'
import { checkStored } from './books-stored.ts'
import { checkWatches } from './books-watches.ts'

/** Checked when all bots have been stopped. */
export async function checkBooks(open: Open): Promise<Book> {
  const books = [
    checkCommands(open),
    await checkGrants(open),
    await checkWatches(open),
    await checkStored(open),
  ]
  return {
    counted: Object.assign({}, ...books.map(({ counted }) => counted)),
    wrong: books.flatMap(({ wrong }) => wrong),
  }
}
