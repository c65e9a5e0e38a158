// The Kubernetes manifest: its settings are Bellhop's, its probes and ports the bot's, and what it allows is what the
// container's own files allow. No cluster is asked.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { settingNames } from '../../src/config/config.ts'
import { readDockerfile } from '../container/dockerfile.ts'
import { openWorld } from '../world.ts'
import { onShelf } from './tools.ts'

const file = onShelf('kubernetes.yaml')
const documents = parseAllDocuments(file).map((document): unknown => {
  expect(document.errors).toEqual([])
  return document.toJS()
})
const only = (kind: string) => {
  const found = documents.filter((one) => Object(one).kind === kind)
  expect(found).toHaveLength(1)
  return found[0]
}

const probe = z.object({
  httpGet: z.object({ path: z.string() }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number(),
  failureThreshold: z.number(),
})
const secret = z.object({ name: z.string(), key: z.string() })
const container = z.object({
  env: z.array(z.object({ name: z.string(), valueFrom: z.object({ secretKeyRef: secret }) })),
  lifecycle: z.object({
    preStop: z.object({
      exec: z.object({ command: z.tuple([z.literal('sleep'), z.coerce.number()]) }),
    }),
  }),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
})
const template = z.object({
  spec: z.object({ terminationGracePeriodSeconds: z.number(), containers: z.tuple([container]) }),
})
const pod = z.object({ spec: z.object({ template }) }).parse(only('Deployment')).spec.template.spec
const [bellhop] = pod.containers
const settings = z.object({ data: z.record(z.string(), z.string()) }).parse(only('ConfigMap'))
const [port] = readDockerfile(readFileSync('Dockerfile', 'utf8')).at(-1)?.ports ?? []

describe('the Kubernetes manifest', () => {
  it('gives settings that there are, secrets by their name alone, and none twice', () => {
    const plain = Object.keys(settings.data)
    const secrets = bellhop.env.map(({ name }) => name)

    expect([...plain, ...secrets].filter((name) => !settingNames.includes(name))).toEqual([])
    expect(new Set([...plain, ...secrets]).size).toBe(plain.length + secrets.length)
    expect(secrets.toSorted()).toEqual(
      ['DATABASE_URL', 'ENCRYPTION_KEYS', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'].toSorted(),
    )
    const [, command = ''] = /kubectl create secret generic (.*?)\n[^#\n]*\n/s.exec(file) ?? []
    for (const { name, valueFrom } of bellhop.env) {
      expect(valueFrom.secretKeyRef).toEqual({ name: command.split(/\s/)[0], key: name })
      expect(command).toContain(`--from-literal=${name}=`)
    }
  })

  it('lets the bot do no more than its image does', () => {
    expect(only('Deployment')).toMatchObject({
      spec: {
        template: {
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                ports: [{ name: 'http', containerPort: Number(port) }],
                resources: { limits: { memory: expect.any(String) } },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
              },
            ],
          },
        },
      },
    })
  })

  it('asks for what the bot answers', async () => {
    const { url } = await openWorld()
    const paths = [bellhop.startupProbe, bellhop.livenessProbe, bellhop.readinessProbe].map(
      ({ httpGet }) => httpGet.path,
    )
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz'])
    for (const path of paths) expect((await fetch(url + path)).status).toBe(200)
    expect(only('Service')).toMatchObject({
      spec: { ports: [{ port: Number(port), targetPort: 'http' }] },
    })
    // As the bot takes up to 2.5 s to say whether it is ready.
    expect(bellhop.readinessProbe.timeoutSeconds).toBeGreaterThan(2.5)
  })

  it('stops one by one: a sleep in which balancers notice, and 15 s more before it kills', () => {
    const [, delay] = bellhop.lifecycle.preStop.exec.command
    const { periodSeconds, failureThreshold } = bellhop.readinessProbe
    expect(delay).toBeGreaterThanOrEqual(periodSeconds * failureThreshold)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 15)
    const rollingUpdate = { maxUnavailable: 0, maxSurge: 1 }
    expect(only('Deployment')).toMatchObject({ spec: { replicas: 2, strategy: { rollingUpdate } } })
    expect(only('PodDisruptionBudget')).toMatchObject({ spec: { minAvailable: 1 } })
  })
})
