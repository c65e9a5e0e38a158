// Pictures in the documents are made small without changing what they show.
import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { smallPng } from '../../playground/pictures/small-png.ts'

const ink = 0x1d1c1dff
const paper = 0xffffffff
const clear = 0x00000000

/** A screenshot of these pixels, a row each. Checksums are not read. */
function screenshot(rows: readonly (readonly number[])[]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
    body.writeUInt32BE(data.length)
    return body
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(rows[0]?.length ?? 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const bytes = rows.flatMap((row) => [
    0,
    ...row.flatMap((colour) => [24, 16, 8, 0].map((by) => (colour >>> by) & 255)),
  ])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(bytes))),
  ])
}

/** The colours of an indexed picture, pixel by pixel. */
function coloursOf(png: Buffer): number[] {
  const parts = new Map<string, Buffer>()
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    parts.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const [palette, opacities] = [parts.get('PLTE') ?? Buffer.alloc(0), parts.get('tRNS') ?? Buffer.alloc(0)]
  const width = png.readUInt32BE(16)
  const rows = inflateSync(parts.get('IDAT') ?? Buffer.alloc(0))
  return [...rows].flatMap((index, at) =>
    at % (width + 1) === 0
      ? []
      : [(palette.readUIntBE(index * 3, 3) * 256 + (opacities[index] ?? 255)) >>> 0],
  )
}

describe('a small picture', () => {
  it('keeps letters opaque beside corners that one can see through', () => {
    const row = [clear, clear, paper, ink, ink, paper]
    const rows = Array.from({ length: 8 }, () => row)

    const shown = coloursOf(smallPng(screenshot(rows), new Set([ink, paper])))

    expect(shown).toEqual(rows.flat())
  })
})
