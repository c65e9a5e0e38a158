// The whole gallery, in the order in which it is read.

import { actForms, askedInThread, textsBack } from './alerts/act-forms.ts'
import { afterwards, verdicts } from './alerts/acting.ts'
import { asking as askingForAlerts, links, tokens, unfound, wrongKeys } from './alerts/alert-asking.ts'
import { places, states } from './alerts/alert-cards.ts'
import { pages, thread } from './alerts/alert-history.ts'
import { cardTrouble } from './alerts/alert-trouble.ts'
import { assignForms, assignVerdicts } from './alerts/assigning.ts'
import { elsewhere, lists, toldDirectly } from './alerts/watch-asking.ts'
import { endings, inTheThread, liveCards } from './alerts/watch-cards.ts'
import { watchTrouble } from './alerts/watch-trouble.ts'
import { connectFirst, connecting, disconnecting } from './bellhop/account.ts'
import { approvalLines, grantLines } from './bellhop/audit.ts'
import { home } from './bellhop/home.ts'
import { operatorsSettings, settings } from './bellhop/install.ts'
import { messageMenu, postedLinks, words } from './bellhop/surfaces.ts'
import { fromBellhop, fromSlack, fromTheService, heldBack } from './bellhop/trouble.ts'
import { doctor } from './doctor/doctor.ts'
import { auditLines } from './doctor/doctor-audit.ts'
import { bellhopLines, terminalLines } from './doctor/doctor-bellhop.ts'
import { accountLines, serviceLines } from './doctor/doctor-service.ts'
import { channelLines, slackLines } from './doctor/doctor-slack.ts'
import { asking as askingForApproval, offers } from './grants/approval-asking.ts'
import { endings as requestEndings, cards as requests } from './grants/approval-cards.ts'
import { refused, toldAboutRequests } from './grants/approval-told.ts'
import { asking as askingForGrants, people, wrongLines } from './grants/grant-asking.ts'
import { confirming, form } from './grants/grant-form.ts'
import { receipts, sharedAndLate } from './grants/grant-outcomes.ts'
import { severalAsked, severalResults } from './grants/grant-several.ts'
import { notices, pastGrants } from './grants/past-grants.ts'
import type { Entry, Room } from './stage/entry.ts'

export const rooms: readonly Room[] = [
  {
    title: 'Alerts',
    groups: [
      { title: 'Cards', entries: states },
      { title: 'Where a card appears', entries: places },
      { title: 'Histories', entries: thread },
      { title: 'Histories in a window', entries: pages },
      { title: 'Asking for an alert', entries: askingForAlerts },
      { title: 'Typos and slow answers', entries: unfound },
      { title: 'Wrong keys and links', entries: [...links, ...wrongKeys] },
      { title: 'A token where a key belongs', entries: tokens },
      { title: 'Problems with a card', entries: cardTrouble },
      { title: 'Forms of assigning', entries: assignForms },
      { title: 'Assigning', entries: assignVerdicts },
      { title: 'Forms of commenting and closing', entries: actForms },
      { title: 'Commenting and closing', entries: [...textsBack, ...verdicts] },
      { title: 'Asking for what is missing', entries: askedInThread },
      { title: 'After a change', entries: afterwards },
    ],
  },
  {
    title: 'Watching',
    groups: [
      { title: 'Live cards', entries: liveCards },
      { title: 'News in a live card’s thread', entries: inTheThread },
      { title: 'How a live card ends', entries: endings },
      { title: 'Where cards can’t stay live', entries: elsewhere },
      { title: 'Your watches', entries: lists },
      { title: 'Direct messages to watchers', entries: toldDirectly },
      { title: 'When you can’t watch', entries: watchTrouble },
    ],
  },
  {
    title: 'Everywhere in Slack',
    groups: [
      { title: 'From a message’s menu', entries: messageMenu },
      { title: 'Link previews', entries: postedLinks },
      { title: 'Mentions and direct messages', entries: words },
    ],
  },
  {
    title: 'Granting',
    groups: [
      { title: 'Asking for access', entries: askingForGrants },
      { title: 'The grant form', entries: form },
      { title: 'Before it is sent', entries: confirming },
      { title: 'Results', entries: receipts },
      { title: 'When access was given before', entries: pastGrants },
      { title: 'Shared receipts and late results', entries: sharedAndLate },
      { title: 'For the person who got access', entries: notices },
      { title: 'Several people: before it is sent', entries: severalAsked },
      { title: 'Several people: results', entries: severalResults },
      { title: 'Mistakes in a /grant line', entries: wrongLines },
      { title: 'People who can’t be given access', entries: people },
    ],
  },
  {
    title: 'Approvals',
    groups: [
      { title: 'When you can ask for approval', entries: offers },
      { title: 'Asking for approval', entries: askingForApproval },
      { title: 'Requests', entries: requests },
      { title: 'How a request ends', entries: requestEndings },
      { title: 'Direct messages and answers about a request', entries: toldAboutRequests },
      { title: 'What you can’t do with a request', entries: refused },
    ],
  },
  {
    title: 'Account',
    groups: [
      { title: 'When you need an account', entries: connectFirst },
      { title: 'Connecting', entries: connecting },
      { title: 'Disconnecting', entries: disconnecting },
    ],
  },
  { title: 'Home', groups: [{ title: 'The Home tab', entries: home }] },
  {
    title: 'Workspace settings',
    groups: [
      { title: 'The settings form', entries: settings },
      { title: 'Without the form', entries: operatorsSettings },
    ],
  },
  {
    title: 'The audit channel',
    groups: [
      { title: 'Lines about grants', entries: grantLines },
      { title: 'Lines about approvals', entries: approvalLines },
    ],
  },
  {
    title: 'When something goes wrong',
    groups: [
      { title: 'In monitoring', entries: fromTheService },
      { title: 'In Slack', entries: fromSlack },
      { title: 'In Bellhop', entries: fromBellhop },
      { title: 'Too many requests, or too long ones', entries: heldBack },
    ],
  },
  {
    title: 'Doctor',
    groups: [
      { title: 'What doctor finds', entries: doctor },
      { title: 'Lines about Slack', entries: slackLines },
      { title: 'Lines about the channel', entries: channelLines },
      { title: 'Lines about the audit channel', entries: auditLines },
      { title: 'Lines about the service', entries: serviceLines },
      { title: 'Lines about your account', entries: accountLines },
      { title: 'Lines about Bellhop', entries: bellhopLines },
      { title: 'Lines that only a terminal shows', entries: terminalLines },
    ],
  },
]

export const entries: readonly Entry[] = rooms.flatMap(({ groups }) =>
  groups.flatMap((group) => group.entries),
)
