// Work that somebody waits for: when it takes long, they hear so once, and then its end.

/**
 * Waits for the work, and says once meanwhile that it takes longer than `ms`. What is said then is said before this
 * resolves, so that it never comes behind the answer.
 * @param say - Never rejects.
 * @throws What the work throws.
 */
export function whenSlow<T>(work: Promise<T>, ms: number, say: () => Promise<void>): Promise<T> {
  return new Promise((resolve, reject) => {
    let said: Promise<void> | undefined
    const timer = setTimeout(() => {
      said = say()
    }, ms)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      if (said === undefined) settle()
      else void said.then(settle)
    }
    work.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
