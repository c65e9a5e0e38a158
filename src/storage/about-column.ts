// What access is granted for, as it is written in a row and read back.
import { z } from 'zod'
import type { KeptAbout } from '../grant/about.ts'

const aboutSchema = z.object({
  name: z.string(),
  isForAll: z.boolean(),
  channelId: z.string().optional(),
  threadTs: z.string().optional(),
  isDirect: z.boolean(),
})

export function aboutColumn(about: KeptAbout | undefined): string | null {
  return about === undefined ? null : JSON.stringify(about)
}

export function aboutIn(column: string | null): KeptAbout | undefined {
  return column === null ? undefined : aboutSchema.parse(JSON.parse(column))
}
