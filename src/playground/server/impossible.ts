// An error of the page: it asks for something that cannot be done.

/** In a sentence for people. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}
