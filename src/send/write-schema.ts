// Reads writes back from where they were kept as JSON: in a send's column, or sealed while they wait for an account.
import { z } from 'zod'
import type { AddUser, AssignAlert, CloseAlert, CommentOnAlert, Write } from './writes.ts'

const addUserSchema = z
  .object({
    containerId: z.number().int(),
    email: z.string(),
    authProvider: z.string().optional(),
    member: z.boolean(),
    permissions: z.array(z.string()),
  })
  .transform(({ authProvider, ...write }): AddUser => ({ kind: 'add-user', ...write, authProvider }))

const aboutAlert = {
  ks: z.string(),
  message: z.string(),
  shown: z.object({ ownerId: z.number().int().nullable(), isClosed: z.boolean() }).optional(),
  senderId: z.number().int().optional(),
  cardId: z.string().optional(),
}
const assignSchema = z
  .object({ ...aboutAlert, ownerId: z.number().int() })
  .transform(({ shown, senderId, cardId, ...write }): AssignAlert => {
    return { kind: 'assign', ...write, shown, senderId, cardId }
  })
const commentSchema = z
  .object(aboutAlert)
  .transform(({ shown, senderId, cardId, ...write }): CommentOnAlert => {
    return { kind: 'comment', ...write, shown, senderId, cardId }
  })
const closeSchema = z
  .object({ ...aboutAlert, isSolution: z.boolean() })
  .transform(({ shown, senderId, cardId, ...write }): CloseAlert => {
    return { kind: 'close', ...write, shown, senderId, cardId }
  })

const writeSchemas: { readonly [Kind in Write['kind']]: z.ZodType<Extract<Write, { kind: Kind }>> } = {
  'add-user': addUserSchema,
  assign: assignSchema,
  comment: commentSchema,
  close: closeSchema,
}
const writeSchemaOf: ReadonlyMap<string, z.ZodType<Write>> = new Map(Object.entries(writeSchemas))

/** @param kept - All of it but its kind, or with it. @throws where another version kept a kind that this one does not know. */
export function readWrite(kind: string, kept: unknown): Write {
  const schema = writeSchemaOf.get(kind)
  if (schema === undefined) throw new Error(`a send of the kind ${kind} is unknown to this version`)
  return schema.parse(kept)
}
