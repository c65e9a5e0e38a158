// Sentences for somebody who may not do what they pressed. Pure; raw text.
import { tokenRefused, writeWords } from '../../send/words.ts'
import { shortName } from './card.ts'

export const whyNot = {
  nothingToAsk:
    'There is nothing to ask approval for: this grant was sent, or is not kept any more. Use /grant again.',
  quietHere:
    'This channel is set to quiet now, so the request is not posted here. Press Ask for approval again and choose another channel.',
  directThere: 'A request can’t be posted in a direct message. Choose a channel.',
  quietThere: 'That channel is set to quiet. Choose another one.',
  sharedApproval: {
    operator:
      'The approval channel is shared with another organisation, so the request wasn’t posted. Ask whoever runs Bellhop.',
    admins:
      'The approval channel is shared with another organisation, so the request wasn’t posted. Ask an admin to choose another one with /alert settings.',
  },
  sharedHere:
    'This channel is shared with another organisation, so the request wasn’t posted. Press Ask for approval again and choose another channel.',
  sharedThere:
    'That channel is shared with another organisation, so the request wasn’t posted. Press Ask for approval again and choose another channel.',
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

/** @param hours - After which no request names such a token any more. */
export function cannotComparePast(other: Other, hours: number): string {
  const whose = other === 'who asked' ? 'the requester' : 'the recipient'
  return `Bellhop’s encryption keys have changed, so it can’t compare your token with one that ${whose} disconnected or replaced. The requester can ask again in ${hours} hours, or whoever runs Bellhop can put the earlier key back.`
}

/** @param askerName - Raw. */
export function onlyTheAsker(askerName: string): string {
  return `Only ${shortName(askerName)}, who asked for this, can withdraw it.`
}

/** Asks somebody to connect who wants to approve, and has no account. */
export const connectToApprove =
  'To approve this, I need your monitoring account. Connect within 15 minutes and I’ll finish this for you.'

/** Some people were certainly not granted, as the approver's token was refused meanwhile (401). */
export const connectForNext = `${tokenRefused('Your')}, so the rest was not granted. Connect your account again with /alert connect before you approve the next request.`

/** The same, for want of rights (403). */
export function rightsForRest(containerId: number): string {
  return writeWords['add-user'].refusals.forbidden.approverOfRest(containerId)
}

/** An earlier request for the same was granted. @param approverName - Raw. */
export function grantedBefore(approverName: string): string {
  return `This is granted already, approved by ${shortName(approverName)}. There is nothing left to ask for.`
}

/** An earlier request for the same ended so that nobody knows. @param approverName - Raw. */
export function notCertainBefore(approverName: string): string {
  return `${shortName(approverName)} approved this before, and it is not certain whether it was done. Check in monitoring before you ask again with /grant.`
}
