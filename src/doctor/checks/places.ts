// The operator's hosts and files, which a text for a ticket leaves out.
interface Addresses {
  readonly monitorApiUrl: string | undefined
  readonly publicUrl?: string | undefined
  readonly databaseUrl: string | undefined
}

/** As they may stand in a sentence. Single words are not among them: they tell nobody anything, and stand elsewhere. */
export function placesOf({ monitorApiUrl, publicUrl, databaseUrl }: Addresses): readonly string[] {
  const addresses = [monitorApiUrl, publicUrl, databaseUrl].map((address) => URL.parse(address ?? ''))
  const hosts = addresses.flatMap((address) =>
    address === null ? [] : [address.host, address.hostname, decoded(address.hostname), ...queried(address)],
  )
  const path = databaseUrl === undefined ? '' : fileIn(databaseUrl)
  return [...hosts, path].filter((place) => /[./:]/.test(place))
}

/** PostgreSQL's host may be a folder, written with %, or stand in the query. */
function queried({ searchParams }: URL): readonly string[] {
  const host = searchParams.get('host')
  const port = searchParams.get('port')
  return host === null ? [] : [host, `${host}:${port ?? '5432'}`]
}

function decoded(hostname: string): string {
  try {
    return decodeURIComponent(hostname)
  } catch {
    return hostname
  }
}

/** As sentences name it: decoded where it is an address, as it stands where it is a path. */
function fileIn(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file://')) return databaseUrl.startsWith('file:') ? databaseUrl.slice(5) : ''
  try {
    return decodeURIComponent(new URL(databaseUrl).pathname)
  } catch {
    // Then it cannot be opened, and no sentence names it.
    return ''
  }
}
