// What a modal remembers in its `private_metadata`, as it comes back. Pure.
import type { z } from 'zod'
import { UserError } from '../../errors.ts'
import { parseJson } from '../client/json.ts'

/** To whoever sends a form that was opened before an update. Raw. */
export const otherVersion = 'This form is of another version of Bellhop. Close it and open it again.'

/** @throws UserError when it is not what this version has written. */
export function readKept<T>(schema: z.ZodType<T>, privateMetadata: string): T {
  const read = schema.safeParse(parseJson(privateMetadata))
  if (read.success) return read.data
  throw new UserError(otherVersion)
}
