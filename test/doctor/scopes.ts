// All that manifest.yml asks for.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const manifest = z.object({
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()) }),
  }),
})

const { bot } = manifest.parse(parse(readFileSync('manifest.yml', 'utf8'))).oauth_config.scopes

export const allScopes: readonly string[] = bot

export function allBut(...left: readonly string[]): readonly string[] {
  return allScopes.filter((scope) => !left.includes(scope))
}
