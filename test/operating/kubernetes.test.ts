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

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.literal('http') }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number(),
  failureThreshold: z.number(),
})
const text = z.record(z.string(), z.string())
const selector = z.strictObject({ matchLabels: text })
const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    replicas: z.number(),
    selector,
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.number(), maxSurge: z.number() }) }),
    template: z.object({
      metadata: z.object({ labels: text }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        automountServiceAccountToken: z.literal(false),
        enableServiceLinks: z.literal(false),
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.number() }),
        containers: z
          .array(
            z.object({
              image: z.string(),
              ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
              envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })),
              env: z.array(
                z.object({
                  name: z.string(),
                  valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }),
                }),
              ),
              lifecycle: z.strictObject({
                preStop: z.strictObject({
                  exec: z.strictObject({ command: z.tuple([z.literal('sleep'), z.coerce.number()]) }),
                }),
              }),
              startupProbe: probe,
              livenessProbe: probe,
              readinessProbe: probe,
              resources: z.strictObject({ requests: text, limits: z.strictObject({ memory: z.string() }) }),
              securityContext: z.strictObject({
                allowPrivilegeEscalation: z.literal(false),
                readOnlyRootFilesystem: z.literal(true),
                capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
              }),
            }),
          )
          .length(1),
      }),
    }),
  }),
})
const configMapSchema = z.object({
  kind: z.literal('ConfigMap'),
  metadata: z.object({ name: z.string() }),
  data: text,
})
const serviceSchema = z.object({
  kind: z.literal('Service'),
  spec: z.object({ selector: text, ports: z.array(z.object({ port: z.number(), targetPort: z.string() })) }),
})
const budgetSchema = z.object({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.object({ selector, minAvailable: z.number() }),
})

const file = onShelf('kubernetes.yaml')
const documents = parseAllDocuments(file).map((document): unknown => {
  expect(document.errors).toEqual([])
  return document.toJS()
})

function only<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  const kind = schema instanceof z.ZodObject ? schema.shape.kind.value : ''
  const found = documents.filter((one) => Object(one).kind === kind)
  expect(found).toHaveLength(1)
  return schema.parse(found[0])
}

const deployment = only(deploymentSchema).spec
const pod = deployment.template.spec
const settings = only(configMapSchema)
const image = readDockerfile(readFileSync('Dockerfile', 'utf8')).at(-1)
const [container] = pod.containers

describe('the Kubernetes manifest', () => {
  it('gives settings that there are, secrets by their name alone, and none twice', () => {
    const plain = Object.keys(settings.data)
    const secrets = (container?.env ?? []).map(({ name }) => name)
    expect([...plain, ...secrets].filter((name) => !settingNames.includes(name))).toEqual([])
    expect(new Set([...plain, ...secrets]).size).toBe(plain.length + secrets.length)
    expect(container?.envFrom.map(({ configMapRef }) => configMapRef.name)).toEqual([settings.metadata.name])
    expect(secrets.toSorted()).toEqual(
      ['DATABASE_URL', 'ENCRYPTION_KEYS', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'].toSorted(),
    )
    const [, command = ''] = /kubectl create secret generic (.*?)\n[^#\n]*\n/s.exec(file) ?? []
    for (const { name, valueFrom } of container?.env ?? []) {
      expect(valueFrom.secretKeyRef).toEqual({ name: command.split(/\s/)[0], key: name })
      expect(command).toContain(`--from-literal=${name}=`)
    }
  })

  it('asks for what the bot answers, at its port', async () => {
    const { url } = await openWorld()
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]
    const paths = probes.map((one) => one?.httpGet.path)
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz'])
    for (const path of paths) expect((await fetch(url + path)).status).toBe(200)
    expect(container?.ports).toContainEqual({ name: 'http', containerPort: Number(image?.ports[0]) })
    expect(only(serviceSchema).spec.ports).toContainEqual(
      expect.objectContaining({ port: Number(image?.ports[0]), targetPort: 'http' }),
    )
    // As the bot takes up to 2.5 s to say whether it is ready.
    expect(container?.readinessProbe.timeoutSeconds).toBeGreaterThan(2.5)
  })

  it('stops one by one: a sleep in which balancers notice, and 15 s more before it kills', () => {
    const [, delay = 0] = container?.lifecycle.preStop.exec.command ?? []
    const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {}
    expect(delay).toBeGreaterThanOrEqual(periodSeconds * failureThreshold)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 15)
    expect(deployment.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect([deployment.replicas, only(budgetSchema).spec.minAvailable]).toEqual([2, 1])
  })
})
