// `npm run manifest`: prints the Slack app's manifest for this installation.
import { readFileSync } from 'node:fs'
import { parseInstalled } from '../config-installed.ts'
import { ConfigError } from '../errors.ts'
import { fillManifest } from './manifest.ts'

try {
  const template = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')
  process.stdout.write(fillManifest(template, parseInstalled(process.env)))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.problems.join('\n'))
  process.exitCode = 1
}
