// The operator's hosts and files, which a text for a ticket leaves out.
interface Addresses {
  readonly monitorApiUrl: string | undefined
  readonly publicUrl?: string | undefined
  readonly databaseUrl: string | undefined
}

/** As they may stand in a sentence. Single words are not among them: they tell nobody anything, and stand elsewhere. */
export function placesOf({ monitorApiUrl, publicUrl, databaseUrl }: Addresses): readonly string[] {
  const addresses = [monitorApiUrl, publicUrl, databaseUrl].map((address) => URL.parse(address ?? ''))
  const hosts = addresses.flatMap((address) => (address === null ? [] : [address.host, address.hostname]))
  const path = databaseUrl?.startsWith('file:') ? databaseUrl.replace(/^file:(\/\/)?/, '') : ''
  return [...hosts, path, decodeURIComponent(path)].filter((place) => /[./:]/.test(place))
}
