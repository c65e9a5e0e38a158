// Unpacks Chromium, its fonts and its libraries into TMPDIR, where the package that carries them puts things.
// A process of its own, so that TMPDIR means this to nobody else.
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'

const packed = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))
const archives = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']
await Promise.all(archives.map((name) => inflate(fileURLToPath(new URL(name, packed)))))
