import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { createFolderWatch, createSurveyor, type ReadBlob } from '@holdfast/toolbox'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { rejectAll } from './support/review.ts'
import { systemClock } from './support/system-clock.ts'
import { openWorkbench, type Workbench } from './support/workbench.ts'

const surveyor = createSurveyor({ folder: tmpdir(), clock: systemClock })
const watch = createFolderWatch({ surveyor, clock: systemClock })
afterAll(() => watch.close())

const COUNT = process.env['HOLDFAST_FULL'] === '1' ? 200 : 12

const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/c', 'f/a')
const folder = fc.constantFrom('d', 'd/e', 'f', 'g')
const line = fc.oneof(
  path.map((to) => `mkdir -p $(dirname ${to}); echo shell >> ${to}`),
  path.map((one) => `rm -rf ${one}`),
  folder.map((one) => `rm -rf ${one}`),
  folder.map((one) => `mkdir -p ${one}/empty`),
  path.map((one) => `chmod 640 ${one}; chmod 755 b`),
  folder.map((one) => `chmod 750 ${one}`),
  fc.tuple(path, path).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(path, folder).map(([to, target]) => `rm -rf ${to}; ln -sn ${target} ${to}`),
  fc.tuple(path, folder).map(([from, to]) => `cp -p ${from} ${to}`),
  folder.map((one) => `rm -rf ${one}; echo flat > ${one}`),
)
const act = fc.oneof(
  { weight: 4, arbitrary: line.map((command) => ({ type: 'shell', command }) as const) },
  { weight: 2, arbitrary: path.map((to) => ({ type: 'write', path: to }) as const) },
  { weight: 1, arbitrary: path.map((one) => ({ type: 'delete', path: one }) as const) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([from, to]) => ({ type: 'move', from, to }) as const) },
  { weight: 2, arbitrary: path.map((to) => ({ type: 'person-writes', path: to }) as const) },
  { weight: 1, arbitrary: path.map((one) => ({ type: 'person-deletes', path: one }) as const) },
)
type Act = typeof act extends fc.Arbitrary<infer Kind> ? Kind : never

/** All that stands in the folder, by path, with kinds, rights and contents. */
function standing(root: string, below = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(root, below)).sort()) {
    const own = below === '' ? name : `${below}/${name}`
    const stats = lstatSync(join(root, own))
    const mode = (stats.mode & 0o777).toString(8)
    if (stats.isSymbolicLink()) found.set(own, `link ${readlinkSync(join(root, own))}`)
    else if (stats.isFile()) found.set(own, `file ${mode} ${readFileSync(join(root, own), 'utf8')}`)
    else {
      found.set(own, `folder ${mode}`)
      for (const [inner, text] of standing(root, own)) found.set(inner, text)
    }
  }
  return found
}

/** What the person did, and what of it nobody touched afterwards. */
interface PersonsDoing {
  /** Every path that they touched. */
  readonly touched: Set<string>
  /** What they left, where no agent has been since. */
  readonly left: Map<string, string | null>
}

async function play(bench: Workbench, step: Act, doing: PersonsDoing): Promise<void> {
  const noted = bench.changes.length
  switch (step.type) {
    case 'shell':
      await bench.say('shell', { command: step.command })
      break
    case 'write':
      await bench.say('read', { path: step.path })
      await bench.say('write', { path: step.path, content: `tool ${noted}` })
      break
    case 'delete':
      await bench.say('delete', { path: step.path })
      break
    case 'move':
      await bench.say('move', { from: step.from, to: step.to })
      break
    case 'person-writes':
    case 'person-deletes':
      personActs(bench, step, doing)
      return
  }
  for (const { path: changed } of bench.changes.slice(noted))
    for (const own of doing.left.keys()) if (isNear(own, changed)) doing.left.delete(own)
}

/** A person who goes where links lead; what the system refuses they leave. */
function personActs(
  { root, changes }: Workbench,
  { type, path: one }: Act & { readonly type: 'person-writes' | 'person-deletes' },
  { touched, left }: PersonsDoing,
): void {
  const text = `person ${changes.length}`
  try {
    mkdirSync(dirname(join(root, one)), { recursive: true })
    const real = join(realpathSync(dirname(join(root, one))), basename(one))
    rmSync(real, { recursive: true, force: type === 'person-writes' })
    if (type === 'person-writes') writeFileSync(real, text)
    touched.add(relative(root, real))
    for (const own of left.keys()) if (isNear(own, relative(root, real))) left.delete(own)
    left.set(relative(root, real), type === 'person-writes' ? text : null)
  } catch {
    touched.add(dirname(one))
  }
}

/** Whether one of two paths lies in the other. */
function isNear(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
}

it(`[WS1] random acts of tools, commands and a person (${COUNT}): restored, all is as before the turn but for what the person did`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 7 }), async (steps) => {
      const bench = await openWorkbench({ watch })
      try {
        for (const own of ['a', 'b', 'd/a', 'd/e/c', 'f/a']) bench.put(own, `first ${own}`)
        chmodSync(join(bench.root, 'b'), 0o700)
        const before = standing(bench.root)
        const doing: PersonsDoing = { touched: new Set(), left: new Map() }
        for (const step of steps) await play(bench, step, doing)
        const readBlob: ReadBlob = async ({ hash }) => bench.blobs.get(hash) ?? Promise.reject(new Error(hash))
        const call = { callId: 'restore', signal: new AbortController().signal }
        const changes = [...bench.changes]
        const ports = { readBlob, ports: bench.ports, call, meanwhile: 'restore' as const }
        const { conflicts } = await rejectAll(bench.workspace, changes, ports)
        const after = standing(bench.root)
        const isPersons = (one: string) => [...doing.touched].some((own) => isNear(own, one))
        for (const one of new Set([...before.keys(), ...after.keys()]))
          if (!isPersons(one)) expect(`${one}: ${after.get(one)}`).toBe(`${one}: ${before.get(one)}`)
        for (const [own, text] of doing.left) {
          const now = existsSync(join(bench.root, own)) ? readFileSync(join(bench.root, own), 'utf8') : null
          expect(`${own}: ${now}`).toBe(`${own}: ${text}`)
        }
        expect(conflicts.filter((conflict) => !isPersons(conflict.path))).toEqual([])
      } finally {
        await bench.close()
      }
    }),
    { numRuns: COUNT },
  )
}, 300_000)
