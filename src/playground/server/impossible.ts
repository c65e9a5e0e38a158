/** What the page asks for cannot be done, in a sentence for people. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}
