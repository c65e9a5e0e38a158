// The gallery's forms of commenting and closing, what stands at their inputs, and what follows from a verdict's buttons.
import { closeModal, commentModal, readingModal } from '../../../../src/act/render/forms.ts'
import { renderAskInThread } from '../../../../src/act/render/to-others.ts'
import { askWords, tooOldWords } from '../../../../src/act/render/verdict.ts'
import { lengthProblem } from '../../../../src/act/text-rules.ts'
import { tokenInText } from '../../../../src/alert/input.ts'
import { severalMatch } from '../../../../src/alert/render/no-card.ts'
import { renderTextBack, say } from '../../../../src/slack/outbound/message.ts'
import { asLine, type Entry, forAll, forYou, modal } from '../stage/entry.ts'

const headline = 'Disk /var on db-03 is 96 % full'
const onCard = { state: '', headline, message: '', takesLinks: false } as const
const closing = { state: '', headline, message: '', isSolution: false } as const
const long = 'Old logs, rotating them now. '.repeat(9).trim()

const problem = (message: string): string => lengthProblem({ kind: 'comment', message }) ?? ''

export const actForms: readonly Entry[] = [
  modal('The form of a comment', 'Somebody presses _Comment_ on a card.', commentModal(onCard)),
  modal('A comment that is too long, in the form', 'It isn’t cut.', commentModal(onCard), {
    typed: { comment: long },
    errors: { comment: problem(long) },
  }),
  modal('A comment with a token in it', 'Nothing of it is kept.', commentModal(onCard), {
    typed: { comment: 'It works with 0123456789abcdef0123456789abcdef.' },
    errors: { comment: tokenInText },
  }),
  modal(
    'A message that becomes a comment',
    'Somebody chooses _Add as comment_ in the menu of a message in a card’s thread.',
    commentModal({ ...onCard, message: 'Bob Baker: The rotation has failed since Monday.' }),
  ),
  modal(
    'A message outside a card’s thread',
    'Bellhop doesn’t know which alert it is about. The message is longer than a comment may be.',
    commentModal({
      ...onCard,
      headline: undefined,
      takesLinks: true,
      message: `Bob Baker: ${long.slice(0, 228)}…`,
      isCut: true,
    }),
  ),
  modal(
    'A message with a token in it',
    'Nobody else gets to read the token.',
    commentModal({ ...onCard, message: 'Bob Baker: It works with [token]', isMasked: true }),
  ),
  modal('While a message is read', 'Slack is asked who wrote it.', readingModal()),
  modal('The form of closing', 'Somebody presses _Close alert_ on a card.', closeModal(closing)),
]

export const textsBack: readonly Entry[] = [
  forYou(
    'A comment that is too long',
    'Somebody types `/alert comment disk-full` and a long text.',
    renderTextBack(`${problem(long)} Nothing was sent.`, long),
  ),
]

export const askedInThread: readonly Entry[] = [
  forAll(
    'A colleague needs a flag',
    'Somebody presses _Ask in thread_.',
    renderAskInThread('Carol', 'close', { cardId: 'card', mayLackApi: false }),
  ),
  forAll(
    'A colleague may need two flags',
    'Their token can’t read the alert either.',
    renderAskInThread('Carol', 'comment', { cardId: 'card', mayLackApi: true }),
  ),
  ...[
    ['Asked', 'The line is in the thread.', askWords.asked],
    ['Asked before', 'Bellhop asks once for each person and card.', askWords.askedBefore],
    ['A card without a thread', 'The card is private.', askWords.noThread],
    ['A channel that others read', 'Another organisation has joined the channel.', askWords.othersRead],
    ['A verdict that is too old', 'Its buttons are pressed months later.', tooOldWords.verdict],
    ['What waited for too long', 'It is forgotten.', tooOldWords.wish],
    ['A link that several alerts match', 'Somebody types `/alert close` and the link.', severalMatch],
    ['A form of a card that is too old', 'The card was forgotten meanwhile.', tooOldWords.card],
  ].map(([name = '', when = '', sentence = '']) => asLine(forYou(name, when, say(sentence)))),
]
