// Everything that goes through a text that a person or the service wrote, by the file that it stands in. A growth test
// runs each on texts of every awkward kind; a new one in these files that is missing here fails it.

import { z } from 'zod'
import { checkToken } from '../../src/account/render.ts'
import * as textRules from '../../src/act/acts.ts'
import * as addAsComment from '../../src/act/add-as-comment.ts'
import * as assignForms from '../../src/act/assign/modal.ts'
import * as assignWords from '../../src/act/render/assign-words.ts'
import * as alertInput from '../../src/alert/input.ts'
import * as keysInMessage from '../../src/alert/keys-in-message.ts'
import * as alertLink from '../../src/alert/link.ts'
import * as actionWords from '../../src/alert/render/action-words.ts'
import * as card from '../../src/alert/render/card.ts'
import * as cardButtons from '../../src/alert/render/card-buttons.ts'
import * as history from '../../src/alert/render/history.ts'
import * as lookUpForm from '../../src/alert/render/look-up-form.ts'
import * as noCard from '../../src/alert/render/no-card.ts'
import * as state from '../../src/alert/render/state.ts'
import * as thread from '../../src/alert/thread.ts'
import { commandWords, mannerWords } from '../../src/alert/words.ts'
import { renderReport } from '../../src/doctor/render.ts'
import { containersMeant } from '../../src/grant/form/container.ts'
import * as form from '../../src/grant/form/input.ts'
import { inputs } from '../../src/grant/form/modal.ts'
import * as extras from '../../src/grant/line/extras.ts'
import * as grantInput from '../../src/grant/line/line.ts'
import * as people from '../../src/grant/line/people.ts'
import { renderProblems } from '../../src/grant/render/help.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import * as watch from '../../src/live/render.ts'
import { redact } from '../../src/log/line.ts'
import * as mention from '../../src/mention/input.ts'
import * as schema from '../../src/monitor/schema.ts'
import * as serviceWrites from '../../src/monitor/writes.ts'
import { optionsOf } from '../../src/slack/guard/guard.ts'
import * as submittedForm from '../../src/slack/guard/requests.ts'
import * as messages from '../../src/slack/outbound/message.ts'
import * as mrkdwn from '../../src/slack/text/mrkdwn.ts'
import * as nearest from '../../src/slack/text/nearest.ts'
import * as typed from '../../src/slack/text/typed.ts'
import * as names from '../../src/slack/workspace/names.ts'
import { renderWhom } from '../../src/web/render-connect.ts'

type Reads = (text: string) => unknown

const alertUrl = 'https://monitor.example.com/alert/{ks}'
/** Of a service whose links hold no key. */
const placeUrl =
  'https://monitor.example.com/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'
const linkOf = (text: string) => ({
  asset: '7',
  timestamp: '1',
  container: '12',
  condition: text,
  item: text,
})
const grants = { roles: defaultRoles, authProviders: ['Password', 'Google'] }
const alertWords = {
  commands: commandWords,
  manners: mannerWords,
  isNearly: (word: string) => alertInput.wordsNear(word, true).length > 0,
}
const cards = { severityNames: ['EMERGENCY', 'ALERT', 'CRITICAL'], alertUrl, canAct: true }

const personOf = (name: string) => ({
  ...{ id: 7, name, email: undefined, authProvider: undefined, inherit: false, member: true, mute: true },
  permissions: [],
})
const memberWanted = (ks: string) => ({ ks, cardId: undefined, ownerId: 7 })
const factsOf = (name: string) => ({
  ...{ isForSelf: false, isOwn: false, name, isMuted: true },
  ...{ taking: { isByOwner: true, ago: '2 min ago' }, identity: undefined },
})

const alertOf = (text: string) => ({
  ...{ ks: text, message: text, severity: 1, timestamp: 1_700_000_000 },
  ...{
    lastMessage: `${text}!`,
    lastSeverity: 2,
    lastTimestamp: 1_700_000_100,
    ownerId: 7,
    closedTimestamp: null,
  },
  actions: [actionOf(text), { ...actionOf(text), kind: 'Comment' }],
})
const actionOf = (text: string) => ({
  kind: text,
  timestamp: 1_700_000_000,
  data: { message: text, other: text, userId: 7, ownerId: 7 },
})
const namesOf = (text: string) => ({ people: { 7: text }, container: { id: 12, name: text } })
const viewOf = (text: string) => ({
  ...{ cardId: 'f3b0c442', alert: alertOf(text), askerName: text, refresherName: text, asOf: 1_700_000_000 },
  ...{ isPrivate: true, canShare: true, names: namesOf(text) },
})
const wishOf = (text: string) => ({
  ...{ containerId: 12, emails: [text, 'dave@example.com'], authProvider: text, member: true },
  permissions: ['READ' as const],
})
const lookUpOf = (ks: string) => ({ kind: 'look-up' as const, ks, isPrivate: true, isWatched: true })
const typedInto = (input: string, value: string) =>
  submittedForm.readInputs({ [input]: { [input]: { type: 'plain_text_input', value } } })
const messageOf = (text: string) => ({
  text,
  attachments: [
    {
      title: text,
      title_link: text,
      fields: [
        { title: 'Key', value: text },
        { title: text, value: text },
      ],
    },
  ],
  blocks: [{ elements: [{ text, style: { code: true } }, { text }] }],
})

/** By file, everything exported there that takes such a text; and what else stands there, which takes none. */
export const readers: Readonly<
  Record<
    string,
    {
      readonly all: object
      readonly reads: Readonly<Record<string, Reads>>
      readonly others?: readonly string[]
    }
  >
> = {
  'src/slack/text/nearest.ts': {
    all: nearest,
    reads: {
      nearestTo: (text) => [
        nearest.nearestTo(text, ['watches', 'private']),
        nearest.nearestTo(text.slice(0, 100), Array(100).fill(`${text}x`.slice(0, 100))),
      ],
    },
  },
  'src/slack/text/typed.ts': {
    all: typed,
    reads: {
      readWords: typed.readWords,
      restAfter: (text) => [typed.restAfter(text, 0), typed.restAfter(text, 2)],
      unquoted: typed.unquoted,
      withoutSecrets: typed.withoutSecrets,
      hasUnseen: typed.hasUnseen,
      looksLikeToken: (text) => [typed.looksLikeToken(text), typed.looksLikeToken(`xoxb-${text}`)],
      quote: typed.quote,
      codePoint: typed.codePoint,
      asTyped: (text) => [typed.asTyped(text), typed.asTyped(text, new Map([['U1', text.slice(0, 80)]]))],
      namelessIn: typed.namelessIn,
      readPasted: typed.readPasted,
    },
  },
  'src/slack/text/mrkdwn.ts': {
    all: mrkdwn,
    reads: {
      escapeText: mrkdwn.escapeText,
      unescapeText: mrkdwn.unescapeText,
      cut: (text) => [mrkdwn.cut(text, 300), mrkdwn.cut(text, text.length - 9)],
      webAddress: (text) => [mrkdwn.webAddress(text), mrkdwn.webAddress(`https://example.com/${text}`)],
      linkTo: (text) => mrkdwn.linkTo('https://example.com/', text),
      readMention: (text) => mrkdwn.readMention(text),
      mentionElements: (text) => mrkdwn.mentionElements([text]),
      mentionLinks: (text) => mrkdwn.mentionLinks([text]),
    },
    others: [
      ...['mrkdwn', 'plain', 'literal', 'utc', 'date', 'time', 'since', 'exactDate'],
      ...['richDate', 'richDateWithin', 'richSince'],
    ],
  },
  'src/slack/workspace/names.ts': {
    all: names,
    reads: {
      firstReadable: (text) => names.firstReadable([text, text]),
      personInLine: (text) => names.personInLine({ name: text, handle: text }),
      apart: names.apart,
      nameInLine: names.nameInLine,
    },
  },
  'src/slack/outbound/message.ts': {
    all: messages,
    reads: {
      sizeOf: (text) => messages.sizeOf({ text: [text, text] }),
      describe: (text) =>
        messages.describe({
          headline: text,
          lines: [text, [text]],
          quote: text,
          toCopy: text,
          notes: [text],
        }),
      textBack: messages.textBack,
      renderTextBack: (text) => messages.renderTextBack(text, text),
    },
    others: ['say', 'sayMarked', 'button', 'menu', 'fits', 'fullest'],
  },
  'src/slack/guard/requests.ts': {
    all: submittedForm,
    reads: { readInputs: (text) => typedInto('key', text).text('key') },
    others: ['readPrivateMetadata'],
  },
  'src/alert/input.ts': {
    all: alertInput,
    reads: {
      parseAlertLine: (text) => [
        alertInput.parseAlertLine(text, alertUrl),
        alertInput.parseAlertLine(`"5HkX ${text}`, undefined),
        alertInput.parseAlertLine(`style ${text}`, undefined),
        alertInput.parseAlertLine(`--privat ${text} watchs`, undefined),
        alertInput.parseAlertLine(`https://monitor.example.com/alert/${text}`, alertUrl),
      ],
      parseKey: (text) => [
        alertInput.parseKey(text, alertUrl),
        alertInput.parseKey(`monitor.example.com/alert/${text}`, alertUrl),
      ],
      lookUpFor: alertInput.lookUpFor,
      wordsNear: (text) => alertInput.wordsNear(text, true),
    },
    others: ['tokenForKey', 'tokenInText'],
  },
  'src/act/add-as-comment.ts': {
    all: addAsComment,
    reads: {
      readSpoken: (text) => [
        addAsComment.readSpoken({ text }),
        addAsComment.readSpoken({ ...messageOf(text), text: '', username: text }),
      ],
      plainTextOf: (text) => [
        addAsComment.plainTextOf(text, new Map([['U1', text.slice(0, 80)]])),
        addAsComment.plainTextOf(`<@U1|${text}> <${text}|a> <!date^1^${text}|b>`, new Map()),
      ],
      asComment: (text) => addAsComment.asComment(text, text, 'token'),
    },
    others: ['openAddAsComment'],
  },
  'src/act/assign/modal.ts': {
    all: assignForms,
    reads: {
      assignModal: (text) =>
        assignForms.assignModal(
          { purpose: 'somebody', state: '', headline: text, message: text },
          { kind: 'ask-person', containerId: 12, people: [personOf(text), personOf(`${text}2`)] },
        ),
      assignNoteModal: (text) => assignForms.assignNoteModal('me', text),
      personName: (text) => assignForms.personName(personOf(text)),
      suggestPeople: (text) => [
        assignForms.suggestPeople(text, [personOf(text)]),
        assignForms.suggestPeople('a', [personOf(text), personOf(text)]),
      ],
    },
    others: [
      ...['assignViews', 'personInput', 'numberInput', 'messageInput', 'containerInput'],
      ...['suggestPersonAction', 'suggestContainerAction', 'loadingAssignModal'],
    ],
  },
  'src/act/render/assign-words.ts': {
    all: assignWords,
    reads: {
      assignedWords: (text) => assignWords.assignedWords(memberWanted(text), 'seen', factsOf(text)),
      heldBackWords: (text) => assignWords.heldBackWords(text, alertOf(text), factsOf(text)),
      notAMemberWords: (text) => [
        assignWords.notAMemberWords(memberWanted(text), true, factsOf(text)),
        assignWords.notAMemberWords(memberWanted(text), false, factsOf(text)),
      ],
      toWhom: (text) => assignWords.toWhom(factsOf(text)),
    },
  },
  'src/act/acts.ts': {
    all: textRules,
    reads: {
      lengthOf: textRules.lengthOf,
      lengthProblem: (text) => textRules.lengthProblem({ kind: 'close', message: text }),
      withoutTokens: (text) => [
        textRules.withoutTokens(text, 'token'),
        textRules.withoutTokens(text, undefined),
      ],
      holdsToken: (text) => [textRules.holdsToken(text, 'token'), textRules.holdsToken(text, undefined)],
    },
  },
  'src/alert/render/no-card.ts': {
    all: noCard,
    reads: {
      readAskAgain: (text) => [
        noCard.readAskAgain(text),
        noCard.readAskAgain(`line ${text}`),
        noCard.readAskAgain(`key pw ${text}`),
      ],
      keyInWords: noCard.keyInWords,
      renderProblem: (text) =>
        noCard.renderProblem({ kind: 'problem', problem: text, meant: [lookUpOf(text)], said: text }),
      renderNoAlert: (text) => noCard.renderNoAlert(text, 'bad-request', [lookUpOf(text)]),
      renderTryAgain: (text) => noCard.renderTryAgain(text, lookUpOf(text)),
      renderOthersMatch: (text) => noCard.renderOthersMatch(Array(30).fill(text)),
      renderStillAsking: (text) => noCard.renderStillAsking(text, 'here'),
    },
    others: ['askAgainActions', 'noAlertMatches', 'noLinksThere', 'severalMatch', 'tokenSentence'],
  },
  'src/alert/link.ts': {
    all: alertLink,
    reads: {
      keyInLink: (text) => [
        alertLink.keyInLink(text, alertUrl),
        alertLink.keyInLink(
          `https://monitor.example.com/alert/${text}`,
          'https://monitor.example.com/alert/{ks}/x',
        ),
        alertLink.keyInLink(text, placeUrl),
        alertLink.keyInLink(`https://monitor.example.com/12/asset/7/alert?alert=1&item=${text}`, placeUrl),
        alertLink.keyInLink(`https://monitor.example.com/${text}/asset/7/alert?alert=1`, placeUrl),
        alertLink.keyInLink(
          `https://monitor.example.com/#/${text}/7?alert=1`,
          'https://monitor.example.com/#/{item}-{container}/{asset}?alert={timestamp}',
        ),
      ],
      looksLikeLink: (text) => [
        alertLink.looksLikeLink(text, alertUrl),
        alertLink.looksLikeLink(text, undefined),
      ],
      buildAlertLink: (text) => alertLink.buildAlertLink(linkOf(text), placeUrl),
      nameOfLink: (text) => alertLink.nameOfLink(linkOf(text)),
    },
    // What operators write is read by them.
    others: ['holdsKey', 'linkParts', 'alertLinkSchema'],
  },
  'src/alert/keys-in-message.ts': {
    all: keysInMessage,
    reads: {
      mentionedIn: (text) => [
        keysInMessage.mentionedIn({ text }, alertUrl),
        keysInMessage.mentionedIn(messageOf(text), alertUrl),
        keysInMessage.mentionedIn({ text: `${'1'.repeat(text.length)} ${text}` }, undefined),
        keysInMessage.mentionedIn(messageOf(text), placeUrl),
        keysInMessage.mentionedIn(
          { text: `https://monitor.example.com/1/asset/7/alert?alert=1&item=${text}` },
          placeUrl,
        ),
      ],
      thoseThatFit: (text) => [
        keysInMessage.thoseThatFit(Array(50).fill(text.slice(0, 500))),
        keysInMessage.thoseThatFit(Array(50).fill(linkOf(text.slice(0, 500)))),
      ],
      textsIn: (text) => keysInMessage.textsIn(messageOf(text)),
    },
  },
  'src/alert/render/action-words.ts': {
    all: actionWords,
    reads: {
      describe: (text) => actionWords.describe(actionOf(text), namesOf(text)),
      isClosingAmong: (text) => actionWords.isClosingAmong([{ ...actionOf(text), kind: 'Close' }]),
      closingOf: (text) => actionWords.closingOf([{ ...actionOf(text), kind: 'Close' }], namesOf(text)),
    },
  },
  'src/alert/thread.ts': {
    all: thread,
    reads: {
      marksOf: (text) => thread.marksOf(alertOf(text)),
      newsFor: (text) => thread.newsFor([text, `now ${text}`], alertOf(text), { id: text, words: text }),
      toldWith: (text) => {
        const news = { actions: [actionOf(text)], ending: { id: text, words: text }, change: undefined }
        return thread.toldWith([text], news, alertOf(text))
      },
    },
    others: ['isVisible', 'isMentioned'],
  },
  'src/alert/render/card.ts': {
    all: card,
    reads: {
      renderCard: (text) => card.renderCard(cards, viewOf(text)),
      renderInOneMessage: (text) => card.renderInOneMessage(cards, viewOf(text), 'invite'),
      webLink: (text) => [
        card.webLink(cards, text, undefined),
        card.webLink({ alertUrl: placeUrl }, text, linkOf(text)),
      ],
      keyText: (text) => card.keyText(text),
      renderUnfurl: (text) => card.renderUnfurl(cards, alertOf(text)),
    },
    others: ['sampleCard', 'unfurlReason'],
  },
  'src/alert/render/card-buttons.ts': {
    all: cardButtons,
    reads: {
      readCardPress: cardButtons.readCardPress,
      readMenuChoice: (text) =>
        [text, `assign-to ${text}`, `comment ${text} -`].map(cardButtons.readMenuChoice),
      cardIdIn: (text) => cardButtons.cardIdIn(cardButtons.assignMeAction, text),
      isLinkChoice: cardButtons.isLinkChoice,
      isFreeChoice: cardButtons.isFreeChoice,
    },
    others: ['cardButtons', 'pressValue', 'isLinkChoice', 'isFreeChoice'],
  },
  'src/alert/render/state.ts': {
    all: state,
    reads: {
      headlineOf: state.headlineOf,
      stateBlock: (text) => state.stateBlock(cards, alertOf(text), namesOf(text), { isLive: true }),
      briefState: (text) => state.briefState(cards, alertOf(text)),
      sentences: (text) => state.sentences(cards, alertOf(text), namesOf(text), 1_700_000_000),
      firstSentence: (text) => state.firstSentence(cards, alertOf(text)),
      glance: (text) => state.glance(cards, alertOf(text)),
      closedOf: (text) => state.closedOf({ ...alertOf(text), closedTimestamp: 1_700_000_900 }, namesOf(text)),
    },
    others: ['closedMark', 'severityMark', 'severityName', 'severityWords', 'ago', 'isClosed', 'richText'],
  },
  'src/alert/render/history.ts': {
    all: history,
    reads: {
      renderHistory: (text) => history.renderHistory('card', alertOf(text).actions, namesOf(text)),
      historyBlocks: (text) => history.historyBlocks('card', alertOf(text).actions, namesOf(text)),
      historyModal: (text) => history.historyModal('card', alertOf(text), 0, namesOf(text)),
      failedHistoryModal: history.failedHistoryModal,
      renderNews: (text) =>
        [undefined, text].map((about) =>
          history.renderNews(cards, 'card', {
            ...{ actions: alertOf(text).actions, older: 3, names: namesOf(text), mayStandTwice: true },
            ...{ ending: { by: text, words: text }, about },
            change: { from: 3, to: 2, severity: 2, message: text },
          }),
        ),
    },
    others: [
      ...['showEarlierAction', 'showEarlierValue', 'readShowEarlier', 'pageActions', 'actionsPerPage'],
      ...['loadingHistoryModal', 'pageBefore'],
    ],
  },
  'src/alert/render/look-up-form.ts': {
    all: lookUpForm,
    reads: {
      keyBlock: (text) => lookUpForm.keyBlock(true, text),
      lookupModal: (text) => [
        lookUpForm.lookupModal({ takesLinks: true, typed: text }),
        lookUpForm.lookupModal({ takesLinks: true, choices: [text, { ...linkOf(text), asset: text }] }),
      ],
    },
    others: [
      ...['lookupView', 'keyInput', 'postToInput', 'liveInput', 'noWayThere'],
      ...['messageShortcut', 'choiceInput'],
    ],
  },
  'src/live/render.ts': {
    all: watch,
    reads: {
      nameOf: (text) => watch.nameOf(text, { alert: alertOf(text) } as never),
      renderGone: (text) => watch.renderGone(text, text),
      watchRow: (text) =>
        watch.watchRow(cards, {
          ...{ cardId: 'card', ks: text, channelId: 'C1', until: 1, link: undefined },
          shown: { alert: alertOf(text), asOf: 1, look: '' },
        }),
    },
    others: [
      ...[
        'endingWords',
        'closedWords',
        'renderNotAllowed',
        'refusedWatchWords',
        'renderOffer',
        'renderWatchedDirectly',
      ],
      ...['renderExtended', 'renderWatches', 'renderThreadOnly', 'renderWatching', 'renderStopped'],
    ],
  },
  'src/grant/line/line.ts': {
    all: grantInput,
    reads: {
      parseGrant: (text) => [
        grantInput.parseGrant(`12 ${text}`, grants),
        grantInput.parseGrant(`12 dave@example.com; ${text}`, grants),
        grantInput.parseGrant(`12 ${text} <dave@example.com>`, grants),
        grantInput.parseGrant(`12 ${text}`.replaceAll(' ', ' viewr '), grants),
        grantInput.parseGrant(text, grants),
      ],
      readContainer: grantInput.readContainer,
      commandLine: (text) => grantInput.commandLine(wishOf(text), grants),
      isSameWish: (text) => grantInput.isSameWish(wishOf(text), wishOf(`${text} `)),
    },
  },
  'src/grant/line/extras.ts': {
    all: extras,
    reads: {
      readExtras: (text) => [text, `via ${text}`].map((one) => extras.readExtras(one.split(' '), grants)),
      unknownWords: (text) => extras.unknownWords(text.split(' '), grants),
      nearestNames: (text) => extras.nearestNames(text, grants),
    },
  },
  'src/grant/form/input.ts': {
    all: form,
    reads: {
      readEmails: form.readEmails,
      readForm: (text) => [
        unlessRefused(() => form.readForm(typedInto(inputs.email, text), grants)),
        unlessRefused(() => form.readForm(typedInto('container', text), grants)),
      ],
    },
  },
  'src/grant/line/people.ts': {
    all: people,
    reads: {
      readPieces: people.readPieces,
      isEmail: people.isEmail,
      readAddresses: (text) => people.readAddresses(`a;${text} <dave@example.com>`),
      notAddresses: (text) => people.notAddresses(text.split(' ')),
      eachOnce: (text) => people.eachOnce(text.split(' ').map((email) => ({ kind: 'email', email }))),
      tooMany: (text) => people.tooMany([...text]),
      lookAlikeReasons: (text) => people.lookAlikeReasons(wishOf(text)),
    },
  },
  'src/mention/input.ts': {
    all: mention,
    reads: {
      parseMention: (text) =>
        [text, `<@UBOT> ${text}`, `${text} <@UBOT>`].map((said) =>
          mention.parseMention({ text: said, botUserId: 'UBOT', isDirect: true }, alertWords),
        ),
    },
  },
  'src/monitor/writes.ts': {
    all: serviceWrites,
    reads: {
      reasonIn: (text) => [
        serviceWrites.reasonIn(text, 'token'),
        serviceWrites.reasonIn(JSON.stringify({ error: text, message: [text, text] }), text),
      ],
    },
    others: ['addUser', 'writeToAlert'],
  },
  'src/monitor/schema.ts': {
    all: schema,
    reads: {
      isSameAddress: (text) => schema.isSameAddress(text, `${text}x`),
      isSameKey: (text) => schema.isSameKey(text, `${text}x`),
      parseAlertAnswer: (text) => [
        schema.parseAlertAnswer(JSON.stringify(alertOf(text))),
        unlessRefused(() => schema.parseAlertAnswer(text)),
      ],
      parseAs: (text) => [
        unlessRefused(() => schema.parseAs(z.string(), JSON.stringify(text))),
        unlessRefused(() => schema.parseAs(schema.openAlertsSchema, text)),
        schema.parseAs(schema.openAlertsSchema, JSON.stringify([alertOf(text), alertOf(text)])),
        schema.parseAs(schema.containerSchema, JSON.stringify({ id: 1, name: text })),
        schema.parseAs(
          schema.peopleSchema,
          JSON.stringify([{ id: 1, name: text, email: text, permissions: [] }]),
        ),
        unlessRefused(() =>
          schema.parseAs(schema.peopleSchema, JSON.stringify([{ id: 1, name: text, permissions: [text] }])),
        ),
      ],
    },
    others: ['personFields', 'openAlertFields'],
  },
}

/** Of files whose other exports take no text of others. */
export const further: Readonly<Record<string, Reads>> = {
  checkToken,
  containersMeant: (text) => containersMeant(text, [{ id: 12, name: text }, { id: 7 }]),
  optionsOf: (text) => optionsOf([{ label: text, value: text.slice(0, 150) }]),
  redact: (text) => [
    redact(JSON.stringify({ level: 'error', err: { message: text, token: text } })),
    redact(text),
  ],
  'doctor’s report': (text) => renderReport([{ name: 'Slack', state: 'red', found: text }]),
  renderWhom: (text) =>
    renderWhom({ email: text, handle: text, name: text, workspace: { name: text, domain: text } }),
  renderProblems: (text) => renderProblems([text, text], text, new Map([['U1', text.slice(0, 80)]])),
}

/** What a reader throws at such a text is an answer, too. */
function unlessRefused(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}
