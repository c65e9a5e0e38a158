// Texts that nobody types by accident: they break things, or look like what belongs elsewhere. Data only.

const secret = 'x'.repeat(64)

/** One a line: most of them are typed. */
const lines = `
.
..
../12/user
..%2f..
%2e%2e
%zz
5HkX?x=1#y
5HkX/../..
__proto__
constructor
[object Object]
NaN
12 dave@example.com REАD
12 dаve@example.com READ
12 dave＠example.com READ
12 "dave@example.com" READ
-1 dave@example.com READ
12e3 dave@example.com READ
999999999999999999999 dave@example.com READ
12 <mailto:mallory@example.com|dave@example.com> READ
１２ dave@example.com READ
<@U999>
<!channel>
<https://monitoring.example.com/alert/%2e%2e>
https://monitoring.example.com/container/12/asset/%2e%2e/alert?alert=1700000000
https://monitoring.example.com/container/12/asset/34/alert?alert=1e9&item=%ff
connect
watches
private
"
“
"5HkX
\`\`
5HkX private watch
null; DROP TABLE cards
' OR 1=1
{"id":"1"}
{"waitingId":7}
[]
{
{"__proto__":{"id":"x"}}
{"cardId":"x","id":"x"}
share
grant x
1e309
true
C0GENERAL
U0
T0OTHER
1700000000.000100`

/** Lines, keys, addresses and flags that look like something else, or are nothing at all. */
export const hostileTexts: readonly string[] = [
  ...lines.split('\n').slice(1),
  ...[
    '',
    ' ',
    '\0',
    '\u0007\u001b[31m',
    '\ufffd',
    '\ufeff',
    '\u202e12 moc.elpmaxe@evad',
    '5Hk\u200bX',
    'stop \0',
  ],
  ...[
    '12 dave@example.com\u200b READ',
    '12 dave@example.com cafe\u0301',
    `connect ${secret}`,
    '9'.repeat(400),
  ],
  ...[
    'x'.repeat(300),
    'x'.repeat(4_000),
    'é'.repeat(3_001),
    '😀'.repeat(800),
    '"'.repeat(2_000),
    '<'.repeat(2_000),
  ],
  'x'.repeat(60_000),
]
