// The whole gallery, in the order in which it is read.
import { connectFirst, connecting, disconnecting } from './account.ts'
import { asking as askingForAlerts, wrongKeys } from './alert-asking.ts'
import { places, states } from './alert-cards.ts'
import { pages, thread } from './alert-history.ts'
import { cardTrouble } from './alert-trouble.ts'
import { asking as askingForApproval, offers } from './approval-asking.ts'
import { endings as requestEndings, cards as requests } from './approval-cards.ts'
import { refused, toldAboutRequests } from './approval-told.ts'
import { approvalLines, grantLines } from './audit.ts'
import { doctor } from './doctor.ts'
import { auditLines } from './doctor-audit.ts'
import { bellhopLines, terminalLines } from './doctor-bellhop.ts'
import { accountLines, serviceLines } from './doctor-service.ts'
import { channelLines, slackLines } from './doctor-slack.ts'
import type { Entry, Room } from './entry.ts'
import { asking as askingForGrants, people, wrongLines } from './grant-asking.ts'
import { confirming, form } from './grant-form.ts'
import { receipts, sharedAndLate } from './grant-outcomes.ts'
import { severalAsked, severalResults } from './grant-several.ts'
import { home } from './home.ts'
import { operatorsSettings, settings } from './install.ts'
import { messageMenu, postedLinks, styles, words } from './surfaces.ts'
import { fromBellhop, fromSlack, fromTheService, heldBack } from './trouble.ts'
import { elsewhere, lists, toldDirectly } from './watch-asking.ts'
import { endings, inTheThread, liveCards } from './watch-cards.ts'
import { watchTrouble } from './watch-trouble.ts'

export const rooms: readonly Room[] = [
  {
    title: 'Alerts',
    groups: [
      { title: 'Cards', entries: states },
      { title: 'Where a card appears', entries: places },
      { title: 'Histories', entries: thread },
      { title: 'Histories in the modal', entries: pages },
      { title: 'Asking for an alert', entries: askingForAlerts },
      { title: 'Wrong keys and links', entries: wrongKeys },
      { title: 'What cannot be done', entries: cardTrouble },
    ],
  },
  {
    title: 'Watching',
    groups: [
      { title: 'Live cards', entries: liveCards },
      { title: 'News of a live card', entries: inTheThread },
      { title: 'How a live card ends', entries: endings },
      { title: 'Where a card cannot stay live', entries: elsewhere },
      { title: 'What one watches', entries: lists },
      { title: 'Told to those who watched', entries: toldDirectly },
      { title: 'Watches that cannot be', entries: watchTrouble },
    ],
  },
  {
    title: 'Everywhere in Slack',
    groups: [
      { title: 'From a message’s menu', entries: messageMenu },
      { title: 'Links that people post', entries: postedLinks },
      { title: 'Words written to Bellhop', entries: words },
      { title: 'How loud a channel is', entries: styles },
    ],
  },
  {
    title: 'Granting',
    groups: [
      { title: 'Asking for access', entries: askingForGrants },
      { title: 'The grant form', entries: form },
      { title: 'Before it is sent', entries: confirming },
      { title: 'Results', entries: receipts },
      { title: 'Shared, or told later', entries: sharedAndLate },
      { title: 'Several people, before it is sent', entries: severalAsked },
      { title: 'Several people, results', entries: severalResults },
      { title: 'Lines that are not understood', entries: wrongLines },
      { title: 'People who cannot be given access', entries: people },
    ],
  },
  {
    title: 'Approvals',
    groups: [
      { title: 'When approval can be asked for', entries: offers },
      { title: 'Asking for approval', entries: askingForApproval },
      { title: 'Requests', entries: requests },
      { title: 'How a request ends', entries: requestEndings },
      { title: 'Told about a request', entries: toldAboutRequests },
      { title: 'What one may not do with a request', entries: refused },
    ],
  },
  {
    title: 'Account',
    groups: [
      { title: 'When one is needed', entries: connectFirst },
      { title: 'Connecting', entries: connecting },
      { title: 'Disconnecting', entries: disconnecting },
    ],
  },
  { title: 'Home', groups: [{ title: 'The Home tab', entries: home }] },
  {
    title: 'Settings of a workspace',
    groups: [
      { title: 'The form of admins', entries: settings },
      { title: 'Without the form', entries: operatorsSettings },
    ],
  },
  {
    title: 'The audit channel',
    groups: [
      { title: 'Grants in a line', entries: grantLines },
      { title: 'Approvals in a line', entries: approvalLines },
    ],
  },
  {
    title: 'When something goes wrong',
    groups: [
      { title: 'At the service', entries: fromTheService },
      { title: 'At Slack', entries: fromSlack },
      { title: 'In Bellhop', entries: fromBellhop },
      { title: 'Too much at a time', entries: heldBack },
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
      { title: 'Lines about one’s account', entries: accountLines },
      { title: 'Lines about Bellhop', entries: bellhopLines },
      { title: 'Lines in a terminal', entries: terminalLines },
    ],
  },
]

export const entries: readonly Entry[] = rooms.flatMap(({ groups }) =>
  groups.flatMap((group) => group.entries),
)
