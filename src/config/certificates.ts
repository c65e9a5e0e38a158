// Reader of the one setting that names a file to be read at the start: certificates of the operator's own.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Wrong } from './values.ts'

/** No such file is larger; a disk image put there by mistake is. */
const mostBytes = 4 * 1024 * 1024

/**
 * Reads the certificates in a file: PEM, with whatever else stands between them, or one in binary form (DER).
 *
 * @param path - From the working directory, where it is not absolute.
 * @returns Each as PEM, at least one.
 * @throws Wrong, naming the file where what was given looks like one's name.
 */
export function readCertificates(path: string): readonly string[] {
  if (path.includes('-----BEGIN')) {
    throw new Wrong('holds a certificate itself. Give the path of a file that holds it.')
  }
  // Anything else may be a secret that was put here by mistake.
  const name = /^[\w./\\: -]+\.(pem|crt|cer|cert|der|ca|bundle)$/i.test(path) ? path : 'the file'
  const bytes = readBytes(path, name)
  const texts = bytes.toString('latin1').match(pemBlock)
  if (texts !== null) return texts.map((text) => pemOf(text, name))
  if (!isDer(bytes)) throw new Wrong(`${name} holds no certificate. ${whatItHolds}`)
  return [pemOf(bytes, name)]
}

const pemBlock =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

const whatItHolds =
  'Put the certificate that signed the one of the service there: text that begins with -----BEGIN CERTIFICATE-----.'

function readBytes(path: string, name: string): Buffer {
  try {
    const bytes = readFileSync(path)
    if (bytes.length <= mostBytes) return bytes
  } catch (error) {
    throw new Wrong(`${name} ${whyUnread(error)}`)
  }
  throw new Wrong(`${name} is larger than ${mostBytes / 1024 / 1024} MiB. ${whatItHolds}`)
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'is not there. Correct the path; in a container it has to be mounted.'
    case 'EISDIR':
      return 'is a folder. Name the file in it.'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user. Give its user the right to read it.'
    default:
      return `cannot be read (${String(code)}). Correct the path.`
  }
}

/** Source: ITU-T X.690: a certificate is a sequence, whose length follows in more than one byte. */
function isDer(bytes: Buffer): boolean {
  return bytes[0] === 0x30 && ((bytes[1] ?? 0) & 0x80) !== 0
}

function pemOf(certificate: string | Buffer, name: string): string {
  try {
    return new X509Certificate(certificate).toString()
  } catch {
    throw new Wrong(`${name} holds a certificate that cannot be read. Copy it there again.`)
  }
}
