// Refusals in Slack's words.
import type { Json } from '../model/json.ts'

/** Thrown where Slack doesn't take something. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** Pointed complaints, where Slack has some: of blocks, views and arguments. */
  readonly errors: readonly string[]
  readonly #more: Json

  /** @param error - Slack's word for why. @param more - What stands in its answer besides. */
  constructor(error: string, errors: readonly string[] = [], more: Json = {}) {
    super(error)
    this.errors = errors
    this.#more = more
  }

  /** As the Web API says it. */
  get answer(): Json {
    const { message: error, errors } = this
    if (errors.length === 0) return { ok: false, error, ...this.#more }
    const messages = errors.map((said) => `[ERROR] ${said}`)
    return {
      ok: false,
      error,
      ...(error === 'invalid_arguments' ? {} : { errors }),
      response_metadata: { messages },
    }
  }
}
