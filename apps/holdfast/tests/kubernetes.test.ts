import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { API_PATH, routes } from '@holdfast/protocol'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { REPLICA_TIMES } from '../src/replicas/replica-times.ts'
import { SHUTDOWN_MS } from '../src/serving/until-signal.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FOLDER = join(ROOT, 'deploy/kubernetes')
const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
type Manifest = z.infer<typeof Manifest>

const Kustomization = z.object({
  resources: z.array(z.string()),
  images: z.array(z.object({ name: z.string() })),
  secretGenerator: z.array(z.object({ name: z.string(), envs: z.array(z.string()) })),
})

const kustomization = Kustomization.loose().parse(parseYaml(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8')))
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((one) => Manifest.parse(one.toJS())),
)

const Probe = z
  .object({
    httpGet: z.object({ path: z.string(), port: z.string() }),
    periodSeconds: z.number(),
    failureThreshold: z.number(),
  })
  .loose()
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).optional(),
  env: z
    .array(
      z.looseObject({
        name: z.string(),
        valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
      }),
    )
    .optional(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  securityContext: z.looseObject({
    readOnlyRootFilesystem: z.boolean(),
    allowPrivilegeEscalation: z.boolean(),
    capabilities: z.object({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: z.looseObject({}),
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }).optional(),
})
const Workload = Manifest.extend({
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.looseObject({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        automountServiceAccountToken: z.boolean(),
        terminationGracePeriodSeconds: z.number().optional(),
        securityContext: z.looseObject({
          runAsNonRoot: z.boolean(),
          runAsUser: z.number(),
          seccompProfile: z.object({ type: z.string() }),
        }),
        containers: z.array(Container),
      }),
    }),
  }),
})

const workloads = manifests
  .filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')
  .map((one) => Workload.parse(one))
const server = workloads.find(({ metadata }) => metadata.name === 'holdfast')
const [container] = server?.spec.template.spec.containers ?? []
if (!server || !container) throw new Error('There is no workload holdfast')

/** Where the types and the validators of a kind are. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  return `kubernetes-models/${apiVersion.replace(/^(networking)\.k8s\.io/, '$1.k8s.io')}/${kind}`
}

async function typeOffences(all: readonly Manifest[]): Promise<string> {
  const folder = await mkdtemp(join(import.meta.dirname, '.kubernetes-'))
  try {
    const lines = all.map(
      (one, at) =>
        `import type { I${one.kind} as K${at} } from '${moduleOf(one)}'\nexport const v${at}: K${at} = ${JSON.stringify(one)}\n`,
    )
    await writeFile(join(folder, 'manifests.ts'), lines.join(''))
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--ignoreConfig',
      '--types',
      '',
    ]
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    return await promisify(execFile)(process.execPath, [tsc, ...flags, join(folder, 'manifests.ts')]).then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the manifests for Kubernetes', () => {
  it('[PACK9] are of the schemas of Kubernetes, with no field that it does not know', async () => {
    expect(manifests.length).toBeGreaterThan(12)
    for (const manifest of manifests) {
      const kinds = await import(moduleOf(manifest))
      expect(() => new kinds[manifest.kind](manifest).validate(), manifest.metadata.name).not.toThrow()
    }
    expect(await typeOffences(manifests)).toBe('')
    const [first] = manifests
    expect(await typeOffences([{ ...(first as Manifest), speck: {} }])).toContain('speck')
  })

  it('[PACK9] probe routes of the program at the port at which its image listens', () => {
    const paths = [container.startupProbe, container.livenessProbe, Probe.parse(container.readinessProbe)].map(
      (probe) => probe?.httpGet,
    )
    const health = { path: API_PATH + routes.health.path, port: 'http' }
    expect(paths).toEqual([health, health, { path: API_PATH + routes.ready.path, port: 'http' }])
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(/EXPOSE (\d+)/.exec(DOCKERFILE)?.[1]) }])
    // A start waits up to a minute for a busy database.
    expect(
      (container.startupProbe?.periodSeconds ?? 0) * (container.startupProbe?.failureThreshold ?? 0),
    ).toBeGreaterThan(60)
  })

  it('[PACK9] grant an end as long as it takes, as do compose and systemd', () => {
    const takesMs = REPLICA_TIMES.drainMs + SHUTDOWN_MS
    const sleepMs = Number(container.lifecycle?.preStop.exec.command[1]) * 1_000
    expect((server.spec.template.spec.terminationGracePeriodSeconds ?? 30) * 1_000).toBeGreaterThan(sleepMs + takesMs)
    const seconds = (file: string, pattern: RegExp) =>
      Number(pattern.exec(readFileSync(join(ROOT, 'deploy', file), 'utf8'))?.[1]) * 1_000
    expect(seconds('compose.yaml', /stop_grace_period: (\d+)s/)).toBeGreaterThan(takesMs)
    expect(seconds('holdfast.service', /TimeoutStopSec=(\d+)/)).toBeGreaterThan(takesMs)
  })

  it('[PACK9] give each pod no more than it needs, as the namespace demands', () => {
    const namespace = manifests.find(({ kind }) => kind === 'Namespace')
    expect(JSON.stringify(namespace)).toContain('"pod-security.kubernetes.io/enforce":"restricted"')
    for (const { spec, metadata } of workloads) {
      const pod = spec.template.spec
      expect(pod.securityContext, metadata.name).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(pod.automountServiceAccountToken).toBe(false)
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        })
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    }
    expect(server.spec.template.spec.securityContext.runAsUser).toBe(Number(/USER (\d+)/.exec(DOCKERFILE)?.[1]))
    const data = /HOLDFAST_DATA_DIR=(\S+)/.exec(DOCKERFILE)?.[1]
    expect(container.volumeMounts.map(({ mountPath }) => mountPath).toSorted()).toEqual([data, '/tmp'])
    expect(server.spec.replicas).toBeGreaterThan(1)
  })

  it('[PACK9] start the program with its own arguments, and with variables that it reads and the secret has', () => {
    const compose = parseYaml(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'), { merge: true })
    const flags = (args: readonly string[]) => args.filter((arg) => arg.startsWith('--'))
    expect(container.args?.[0]).toBe('start')
    expect(flags(container.args ?? [])).toEqual(flags(compose.services.first.command))
    const known = /HOLDFAST_[A-Z_]+/g
    const sources = globSync('apps/holdfast/src/**/*.ts', { cwd: ROOT })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n')
    const example = readFileSync(join(FOLDER, 'secrets.env.example'), 'utf8')
    const secret = example.split('\n').map((line) => line.split('=')[0])
    const [generated] = kustomization.secretGenerator
    for (const { name, valueFrom } of workloads.flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap(({ env }) => env ?? []),
    )) {
      if (valueFrom)
        expect([valueFrom.secretKeyRef.name, secret]).toEqual([
          generated?.name,
          expect.arrayContaining([valueFrom.secretKeyRef.key]),
        ])
      for (const [variable] of name.matchAll(known)) expect(sources).toContain(`'${variable}'`)
    }
    expect(Object.keys(compose.services.first.environment).toSorted()).toEqual(
      (container.env ?? []).map(({ name }) => name).toSorted(),
    )
    expect(kustomization.images.map(({ name }) => name)).toEqual([container.image])
  })

  it('[PACK9] let pods reach each other by the ports and labels that they have, and nothing else', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    expect(policies.find(({ metadata }) => metadata.name === 'nothing-else')).toMatchObject({
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    })
    const labels = workloads.map(({ spec }) => spec.template.metadata.labels['app'])
    const named = [...JSON.stringify(policies).matchAll(/"app":"([a-z]+)"/g)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set(labels))
    const ports = workloads.flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap((one) => one.ports.map(({ containerPort }) => containerPort)),
    )
    const open = [...JSON.stringify(policies).matchAll(/"port":(\d+)/g)].map(([, port]) => Number(port))
    expect(open.toSorted()).toEqual(expect.arrayContaining(ports.toSorted()))
    const services = manifests.filter(({ kind }) => kind === 'Service')
    expect(services.map(({ metadata }) => metadata.name).toSorted()).toEqual(labels.toSorted())
    const example = readFileSync(join(FOLDER, 'secrets.env.example'), 'utf8')
    for (const [, host = '', port] of example.matchAll(/(?:@|\/\/)([a-z]+):(\d+)/g))
      expect([labels, ports]).toEqual([expect.arrayContaining([host]), expect.arrayContaining([Number(port)])])
  })
})
