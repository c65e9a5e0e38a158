// Types of the files of prom-client that are loaded one by one. The whole of it loads OpenTelemetry too, for which each
// start would wait.
declare module 'prom-client/lib/counter.js' {
  import { Counter } from 'prom-client'

  export = Counter
}
declare module 'prom-client/lib/gauge.js' {
  import { Gauge } from 'prom-client'

  export = Gauge
}
declare module 'prom-client/lib/histogram.js' {
  import { Histogram } from 'prom-client'

  export = Histogram
}
declare module 'prom-client/lib/registry.js' {
  import { Registry, register } from 'prom-client'

  const withGlobal: typeof Registry & { readonly globalRegistry: typeof register }
  export = withGlobal
}
