// The sentences for somebody who may not do what they pressed. Pure; raw text.
import { shortName } from './render.ts'

export const refusals = {
  nothingToAsk:
    'There is nothing to ask approval for: this grant was sent, or is not kept any more. Use /grant again.',
  postedAlready: 'This request does not wait to be posted any more.',
  notKept: 'This request is not kept any more. It can be asked again.',
  ownRequest: 'You asked for this yourself, so somebody else has to approve it.',
  ownToDecline: 'You asked for this yourself. Press Withdraw if it is not wanted any more.',
  forYou: 'This access is for you, so somebody else has to approve it.',
  noAddress:
    'Bellhop cannot see your address in Slack, so it cannot tell whether this access is for you, and you cannot approve it. Whoever runs Bellhop can give it the right users:read.email.',
  noAddresses:
    'Bellhop cannot see addresses in Slack, so nobody could approve this, and nothing was asked. Whoever runs Bellhop can give it the right users:read.email.',
  noRecipients:
    'Slack does not say just now who gets the access, so nothing was asked. Press Ask for approval again in a minute.',
  noProfile:
    'Slack does not say who you are just now, so you cannot approve this yet. Try again in a minute.',
} as const

type Other = 'who asked' | 'who gets the access'

export function sameToken(other: Other): string {
  return `Your token is also the token of ${other}, so you cannot approve this with it. Connect an account of your own with /alert connect.`
}

export function cannotCompare(other: Other): string {
  return `Bellhop’s keys have changed since this was asked, so it cannot tell your token from the token of ${other}. Have it withdrawn and asked again.`
}

/** @param askerName - Raw. */
export function onlyTheAsker(askerName: string): string {
  return `Only ${shortName(askerName)}, who asked for this, can withdraw it.`
}

/** Why somebody without an account is asked to connect who wants to approve. */
export const connectToApprove =
  'To approve this, Bellhop needs your own account at the monitoring service. Connect it within 15 minutes and this goes on by itself.'
