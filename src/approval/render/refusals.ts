// Sentences for somebody who may not do what they pressed. Pure; raw text.
import { writeWords } from '../../send/words.ts'
import type { Approval, BarredUser } from '../approvals.ts'
import { shortName, whereOf } from './card.ts'

export const whyNot = {
  nothingToAsk:
    'There’s nothing to approve: this grant was already sent, or is no longer stored. To start over, use /grant.',
  quietHere:
    'This channel is now set to quiet, so the request wasn’t posted. Press Ask for approval again and choose another channel.',
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
  postedAlready: 'This request has already been posted or closed.',
  notKept: 'This request is no longer stored. The requester can ask again with /grant.',
  ownRequest: 'You asked for this yourself, so somebody else has to approve it.',
  ownToDecline: 'You asked for this yourself. To take it back, choose Withdraw in the menu.',
  forYou: 'This access is for you, so somebody else has to approve it.',
  noAddress:
    'You can’t approve this: Bellhop can’t see your email address in Slack, so it can’t tell whether the access is for you. Whoever runs Bellhop can add the scope users:read.email.',
  noAddresses:
    'The request wasn’t posted: Bellhop can’t see email addresses in Slack, so nobody could approve it. Whoever runs Bellhop can add the scope users:read.email.',
  noRecipients:
    'The request wasn’t posted: Slack couldn’t say who gets the access. Press Ask for approval again in a minute.',
  noProfile: 'Couldn’t look you up in Slack right now, so you can’t approve this yet. Try again in a minute.',
} as const

type Other = BarredUser['part']

export function sameToken(other: Other): string {
  return `You and the ${other} share the same token, so you can’t approve this. Connect your own with /alert connect.`
}

/** Both have proven to be one user of the service, or had when it was asked. */
export function sameUser(other: Other, when: 'now' | 'then'): string {
  const are =
    when === 'now'
      ? `You and the ${other} are the same user in monitoring`
      : `When this was asked, you and the ${other} were the same user in monitoring`
  return `${are}, so somebody else has to approve it.`
}

export function cannotCompare(other: Other): string {
  return `Bellhop’s encryption keys changed after this request was made, so it can’t compare your token with the ${other}’s. The requester can withdraw it and ask again.`
}

/** @param hours - After which no request names such a token any more. */
export function cannotComparePast(other: Other, hours: number): string {
  return `Bellhop’s encryption keys have changed, so it can’t compare your token with one that the ${other} disconnected or replaced. The requester can ask again in ${hours} hours, or whoever runs Bellhop can put the earlier key back.`
}

/** @param askerName - Raw. */
export function onlyTheAsker(askerName: string): string {
  return `Only ${shortName(askerName)}, who asked for this, can withdraw it.`
}

/** Asks somebody to connect who wants to approve, and has no account. */
export const connectToApprove =
  'To approve this, I need your monitoring account. Connect within 15 minutes and I’ll finish this for you.'

/** Some people were certainly not granted, as the approver's token was refused meanwhile (401). */
export const connectForNext =
  'Monitoring no longer accepts your token, so the rest wasn’t granted. Connect your account again with /alert connect before you approve the next request.'

/** The same, for want of rights (403). */
export function rightsForRest(approval: Approval): string {
  return writeWords['add-user'].refusals.forbidden.approverOfRest(whereOf(approval))
}

/** An earlier request for the same was granted. @param approverName - Raw. */
export function grantedBefore(approverName: string): string {
  return `${shortName(approverName)} already approved this, and access has been granted. There’s nothing left to ask for.`
}

/** An earlier request for the same ended so that nobody knows. @param approverName - Raw. */
export function notCertainBefore(approverName: string): string {
  return `${shortName(approverName)} already approved this, but it’s not certain whether it was granted. Check in monitoring before you use /grant again.`
}
