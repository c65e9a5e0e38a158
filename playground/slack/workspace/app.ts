// An app as Slack knows it, with the secrets that all of its installations share.
import type { Stamps } from '../model/stamps.ts'

export interface SharedApp {
  readonly appId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly appToken: string
  readonly signingSecret: string
  readonly verificationToken: string
}

export function newApp(stamps: Stamps): SharedApp {
  return {
    appId: stamps.id('A'),
    clientId: `${Date.now()}.${Math.floor(Math.random() * 1e12)}`,
    clientSecret: stamps.secret(),
    appToken: `xapp-playground-${stamps.secret()}`,
    signingSecret: stamps.secret(),
    verificationToken: stamps.secret(),
  }
}

export function newBotToken(stamps: Stamps): string {
  return `xoxb-playground-${stamps.secret()}`
}
