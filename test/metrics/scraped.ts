// Figures as Prometheus reads them from a running bot, and whether it is ready.

export interface Figures {
  /** Of one series, as it is written: `name{label="value"}`; undefined while there is none. */
  of(series: string): number | undefined
  /** All series of a name that are not at 0. */
  counted(name: string): Readonly<Record<string, number>>
  /** All series of a name, whatever their value. */
  series(name: string): readonly string[]
}

export async function scrape(url: string): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    const at = line.lastIndexOf(' ')
    if (at > 0 && !line.startsWith('#')) samples.set(line.slice(0, at), Number(line.slice(at + 1)))
  }
  const series = (name: string) => [...samples.keys()].filter((one) => one.startsWith(`${name}{`))
  return {
    of: (one) => samples.get(one),
    counted: (name) =>
      Object.fromEntries(
        series(name).flatMap((one) => {
          const value = samples.get(one) ?? 0
          return value === 0 ? [] : [[one.slice(name.length), value]]
        }),
      ),
    series,
  }
}

/** What `GET /readyz` answers: its status and its words. */
export async function ready({ url }: { readonly url: string }): Promise<string> {
  const response = await fetch(`${url}/readyz`)
  return `${response.status} ${await response.text()}`
}

/** Labels of `bellhop_grants_total`, as they are written. */
export const granted = (outcome: string, reason: string, told: string) =>
  `{kind="add-user",outcome="${outcome}",reason="${reason}",told="${told}"}`

export async function grantsAt(url: string): Promise<Readonly<Record<string, number>>> {
  return (await scrape(url)).counted('bellhop_grants_total')
}

/** Requests about grants or alerts that are done, by kind and outcome: `command connect`. */
export async function requestsAt(
  url: string,
  about: string,
): Promise<Readonly<Record<string, number>>> {
  const counted = (await scrape(url)).counted('bellhop_requests_total')
  return Object.fromEntries(
    Object.entries(counted).flatMap(([labels, value]) => {
      const [, kind, of, outcome] =
        /kind="([^"]*)",about="([^"]*)",outcome="([^"]*)"/.exec(labels) ?? []
      return of === about ? [[`${kind} ${outcome}`, value]] : []
    }),
  )
}
