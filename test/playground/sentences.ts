// Reads sentences out of source text: the words between quotes that people could get to see.

/** What nobody sees in Slack: lines of the log, and errors that are thrown but not told. */
const unseen = /\blog\.\w+\($|\btrouble\.(?:begins|ends)\($|\bnew (?!UserError\b)\w*Error\($|\bsuper\($/

/**
 * The pieces of text in a source file that read like a sentence (three words or more), in order.
 * A template literal is cut into pieces where something is put in.
 */
export function sentencesIn(source: string): readonly string[] {
  const found: string[] = []
  /** For each open bracket, whether what is in it is never seen. */
  const brackets: boolean[] = []
  let at = 0
  let code = ''

  const isUnseen = () => brackets.some(Boolean)
  const keep = (piece: string) => {
    const words = piece.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll(/\s+/g, ' ').trim()
    if (!isUnseen() && /\p{L}+['’]?\p{L}* \p{L}+.* \p{L}+/u.test(words)) found.push(words)
  }

  function readQuoted(quote: string): void {
    let piece = ''
    for (at += 1; at < source.length && source[at] !== quote; at += 1) {
      if (source[at] === '\\') {
        at += 1
        piece += source[at] === 'n' ? '\n' : (source[at] ?? '')
      } else if (quote === '`' && source.startsWith('${', at)) {
        keep(piece)
        piece = ''
        at += 2
        readCode('}')
      } else piece += source[at]
    }
    keep(piece)
    at += 1
    code += '""'
  }

  function readRegex(): void {
    let isInClass = false
    for (at += 1; at < source.length && (isInClass || source[at] !== '/'); at += 1) {
      if (source[at] === '\\') at += 1
      else if (source[at] === '[') isInClass = true
      else if (source[at] === ']') isInClass = false
    }
    at += 1
    code += '0'
  }

  /** Up to the bracket that ends it, which is left for the caller. */
  function readCode(end: string | undefined): void {
    const depth = brackets.length
    while (at < source.length) {
      const char = source[at] ?? ''
      if (source.startsWith('//', at)) at = lineEnd(source, at)
      else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 2
      else if (char === "'" || char === '"' || char === '`') readQuoted(char)
      else if (char === '/' && /([(,=:[!&|?{};]|\breturn)\s*$/.test(code)) readRegex()
      else if (char === end && brackets.length === depth) return
      else {
        code += char
        if ('([{'.includes(char)) brackets.push(unseen.test(code))
        if (')]}'.includes(char)) brackets.pop()
        at += 1
      }
    }
  }

  readCode(undefined)
  return found
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end === -1 ? source.length : end
}
