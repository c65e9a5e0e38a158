/** Something was not answered as it should be: a figure of it would be one of failed work. One sentence for people. */
export class Unfit extends Error {
  override readonly name: string = 'Unfit'
}
