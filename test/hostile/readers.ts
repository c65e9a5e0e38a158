// Whatever reads texts that people type or the service writes, each as one function of such a text: a test runs all of
// them on long texts of every awkward kind.
import { checkToken } from '../../src/account/render.ts'
import { holdsToken, textRefusal, withoutTokens } from '../../src/act/acts.ts'
import { plainTextOf, readSpoken } from '../../src/act/add-as-comment.ts'
import { parseAlertLine, parseKey, wordsNear } from '../../src/alert/input.ts'
import { mentionedIn, textsIn } from '../../src/alert/keys-in-message.ts'
import { keyInLink, looksLikeLink } from '../../src/alert/link.ts'
import { renderCard } from '../../src/alert/render/card.ts'
import { renderHistory } from '../../src/alert/render/history.ts'
import { marksOf, newsFor } from '../../src/alert/thread.ts'
import { actWords, commandWords, mannerWords } from '../../src/alert/words.ts'
import { containersMeant } from '../../src/grant/form/container.ts'
import { readForm } from '../../src/grant/form/input.ts'
import { inputs } from '../../src/grant/form/modal.ts'
import { parseGrant } from '../../src/grant/line/line.ts'
import { readAddresses } from '../../src/grant/line/people.ts'
import { renderProblems } from '../../src/grant/render/help.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { redact } from '../../src/log/line.ts'
import { parseMention } from '../../src/mention/input.ts'
import { isSameAddress, isSameKey, parseAlertAnswer } from '../../src/monitor/schema.ts'
import { reasonIn } from '../../src/monitor/writes.ts'
import { optionsOf } from '../../src/slack/guard/guard.ts'
import { readInputs } from '../../src/slack/guard/requests.ts'
import { describe as layOut, textBack } from '../../src/slack/outbound/message.ts'
import { cut, escapeText, linkTo, readMention, webAddress } from '../../src/slack/text/mrkdwn.ts'
import { nearestTo } from '../../src/slack/text/nearest.ts'
import {
  asTyped,
  looksLikeToken,
  quote,
  readWords,
  restAfter,
  unbracketed,
  unquoted,
  withoutSecrets,
} from '../../src/slack/text/typed.ts'
import { personInLine } from '../../src/slack/workspace/names.ts'
import { renderWhom } from '../../src/web/render-connect.ts'

const alertUrl = 'https://monitor.example.com/alert/{ks}'
/** Of a service whose links hold no key. */
const placeUrl =
  'https://monitor.example.com/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'
const grants = { roles: defaultRoles, authProviders: ['Password', 'Google'] }
const alertWords = {
  ...{ commands: commandWords, acts: actWords, manners: mannerWords },
  isNearly: (word: string) => wordsNear(word, true).length > 0,
}
const cards = {
  severityNames: ['EMERGENCY', 'ALERT', 'CRITICAL'],
  alertUrl,
  canAct: true,
  watch: { intervalMs: 30_000 },
}

const actionOf = (text: string) => ({
  ...{ kind: text, timestamp: 1_700_000_000 },
  data: { message: text, other: text, userId: 7, ownerId: 7 },
})
const alertOf = (text: string) => ({
  ...{ ks: text, message: text, severity: 1, timestamp: 1_700_000_000 },
  ...{ lastMessage: `${text}!`, lastSeverity: 2, lastTimestamp: 1_700_000_100 },
  ...{ ownerId: 7, closedTimestamp: null },
  actions: [actionOf(text), { ...actionOf(text), kind: 'Comment' }],
})
const namesOf = (text: string) => ({ people: { 7: text }, container: { id: 12, name: text } })
const viewOf = (text: string) => ({
  ...{ cardId: 'f3b0c442', alert: alertOf(text), askerName: text, refresherName: text, asOf: 1_700_000_000 },
  ...{ isPrivate: true, canShare: true, names: namesOf(text) },
})
const messageOf = (text: string) => ({
  text,
  attachments: [{ title: text, title_link: text, fields: [{ title: text, value: text }] }],
  blocks: [{ elements: [{ text, style: { code: true } }, { text }] }],
})
const typedInto = (input: string, value: string) =>
  readInputs({ [input]: { [input]: { type: 'plain_text_input', value } } })

export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  readWords,
  restAfter: (text) => [restAfter(text, 0), restAfter(text, 2)],
  unquoted,
  withoutSecrets,
  looksLikeToken: (text) => [looksLikeToken(text), looksLikeToken(`xoxb-${text}`)],
  quote,
  asTyped: (text) => [asTyped(text), asTyped(text, new Map([['U1', text.slice(0, 80)]]))],
  unbracketed,
  nearestTo: (text) => [
    nearestTo(text, ['watches', 'private']),
    nearestTo(text.slice(0, 100), Array(100).fill(`${text}x`.slice(0, 100))),
  ],
  escapeText,
  cut: (text) => [cut(text, 300), cut(text, text.length - 9)],
  webAddress: (text) => [webAddress(text), webAddress(`https://example.com/${text}`)],
  linkTo: (text) => linkTo('https://example.com/', text),
  readMention,
  personInLine: (text) => personInLine({ name: text, handle: text }),
  describe: (text) =>
    layOut({ headline: text, lines: [text, [text]], quote: text, toCopy: text, notes: [text] }),
  textBack,
  optionsOf: (text) => optionsOf([{ label: text, value: text.slice(0, 150) }]),
  parseAlertLine: (text) => [
    parseAlertLine(text, alertUrl),
    parseAlertLine(`"5HkX ${text}`, undefined),
    parseAlertLine(`--privat ${text} watchs`, undefined),
    parseAlertLine(`https://monitor.example.com/alert/${text}`, alertUrl),
  ],
  parseKey: (text) => [parseKey(text, alertUrl), parseKey(`monitor.example.com/alert/${text}`, alertUrl)],
  parseMention: (text) =>
    [text, `<@UBOT> ${text}`, `${text} <@UBOT>`].map((said) =>
      parseMention({ text: said, botUserId: 'UBOT', isDirect: true }, alertWords),
    ),
  keyInLink: (text) => [
    keyInLink(text, alertUrl),
    keyInLink(text, placeUrl),
    keyInLink(`https://monitor.example.com/12/asset/7/alert?alert=1&item=${text}`, placeUrl),
    keyInLink(
      `https://monitor.example.com/#/${text}/7?alert=1`,
      'https://monitor.example.com/#/{item}-{container}/{asset}?alert={timestamp}',
    ),
  ],
  looksLikeLink: (text) => [looksLikeLink(text, alertUrl), looksLikeLink(text, undefined)],
  mentionedIn: (text) => [
    mentionedIn({ text }, alertUrl),
    mentionedIn(messageOf(text), alertUrl),
    mentionedIn({ text: `${'1'.repeat(text.length)} ${text}` }, undefined),
    mentionedIn(messageOf(text), placeUrl),
  ],
  textsIn: (text) => textsIn(messageOf(text)),
  readSpoken: (text) => [readSpoken({ text }), readSpoken({ ...messageOf(text), text: '', username: text })],
  plainTextOf: (text) => [
    plainTextOf(text, new Map([['U1', text.slice(0, 80)]])),
    plainTextOf(`<@U1|${text}> <${text}|a> <!date^1^${text}|b>`, new Map()),
  ],
  textRefusal: (text) => textRefusal({ kind: 'close', message: text }),
  withoutTokens: (text) => [withoutTokens(text, 'token'), withoutTokens(text, undefined)],
  holdsToken: (text) => [holdsToken(text, 'token'), holdsToken(text, undefined)],
  parseGrant: (text) => [
    parseGrant(text, grants),
    parseGrant(`12 dave@example.com; ${text}`, grants),
    parseGrant(`12 ${text} <dave@example.com>`, grants),
    parseGrant(`12 ${text}`.replaceAll(' ', ' viewr '), grants),
  ],
  readForm: (text) =>
    [inputs.email, 'container'].map((input) => unlessRefused(() => readForm(typedInto(input, text), grants))),
  readAddresses: (text) => readAddresses(`a;${text} <dave@example.com>`),
  containersMeant: (text) => containersMeant(text, [{ id: 12, name: text }, { id: 7 }]),
  renderProblems: (text) => renderProblems([text, text], text, new Map([['U1', text.slice(0, 80)]])),
  marksOf: (text) => marksOf(alertOf(text)),
  newsFor: (text) => newsFor([text, `now ${text}`], alertOf(text), { id: text, words: text }),
  renderCard: (text) => renderCard(cards, viewOf(text)),
  renderHistory: (text) => renderHistory(alertOf(text).actions, namesOf(text)),
  reasonIn: (text) => [
    reasonIn(text, 'token'),
    reasonIn(JSON.stringify({ error: text, message: [text, text] }), text),
  ],
  isSameAddress: (text) => isSameAddress(text, `${text}x`),
  isSameKey: (text) => isSameKey(text, `${text}x`),
  parseAlertAnswer: (text) => [
    parseAlertAnswer(JSON.stringify(alertOf(text))),
    unlessRefused(() => parseAlertAnswer(text)),
  ],
  checkToken,
  redact: (text) => [redact(JSON.stringify({ err: { message: text, token: text } })), redact(text)],
  renderWhom: (text) =>
    renderWhom({ email: text, handle: text, name: text, workspace: { name: text, domain: text } }),
}

/** What a reader throws at such a text is an answer, too. */
function unlessRefused(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}
