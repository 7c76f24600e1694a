import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@holdfast/conversation'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DiagnosedBench, openDiagnosed } from './support/diagnosed-bench.ts'

let base = ''
let root = ''
let bench: DiagnosedBench
let say: DiagnosedBench['say']

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-diagnosed-')))
  root = join(base, 'work')
  mkdirSync(join(root, 'src'), { recursive: true })
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","noEmit":true,"types":[]},"include":["src"]}',
  )
  bench = await openDiagnosed(base, root)
  say = bench.say
})
afterEach(async () => {
  await bench.close()
  rmSync(base, { recursive: true, force: true })
})

const FILES = 12
/** Each is asked of the real TypeScript twice. */
const EDITS = process.env['HOLDFAST_FULL'] === '1' ? 500 : 80
type Kind = 'number' | 'string'
/** What stands in a file: what it gives, whether that is wrong, and which one it uses as what. */
interface Part {
  readonly gives: Kind
  readonly isWrong: boolean
  readonly uses: number
  readonly as: Kind
}
type State = ReadonlyMap<number, Part>

const pathOf = (at: number) => `src/f${at}.ts`
const LITERALS = { number: '1', string: "'one'" } as const
const second = (at: number, { gives, isWrong }: Part) =>
  `export const v${at}: ${gives} = ${isWrong ? 'true' : LITERALS[gives]}`
const textOf = (at: number, part: Part) =>
  [
    `import { v${part.uses} } from './f${part.uses}'`,
    second(at, part),
    `export const u${at}: ${part.as} = v${part.uses}`,
    '',
  ].join('\n')

/** The errors that a file has by what TypeScript is, by their words, with their places. */
function errorsOf(state: State, at: number): ReadonlyMap<string, string> {
  const part = state.get(at)
  const errors = new Map<string, string>()
  if (part === undefined) return errors
  const used = state.get(part.uses)
  const add = (place: string, message: string) => errors.set(message, `${pathOf(at)}:${place} ${message}`)
  if (used === undefined)
    add(
      `1:${`import { v${part.uses} } from '`.length}`,
      `Cannot find module './f${part.uses}' or its corresponding type declarations. (2307)`,
    )
  if (part.isWrong) add('2:14', `Type 'boolean' is not assignable to type '${part.gives}'. (2322)`)
  if (used !== undefined && used.gives !== part.as)
    add('3:14', `Type '${used.gives}' is not assignable to type '${part.as}'. (2322)`)
  return errors
}

/** What the result has to say, in any order of files. */
function expected(before: State, after: State): readonly string[] {
  // A file that is written again as it was is not changed.
  const textIn = (state: State, at: number): string | null => {
    const part = state.get(at)
    return part === undefined ? null : textOf(at, part)
  }
  const changed = new Set<number>()
  for (let at = 0; at < FILES; at += 1) if (textIn(before, at) !== textIn(after, at)) changed.add(at)
  // A file that is new stands on the disk while the others are asked for how they were.
  const base = new Map(before)
  for (const at of changed) {
    const part = after.get(at)
    if (!before.has(at) && part !== undefined) base.set(at, part)
  }
  return [...after.keys()].flatMap((at) => {
    const old = before.has(at) ? errorsOf(base, at) : new Map<string, string>()
    const come = [...errorsOf(after, at)].filter(([message]) => !old.has(message))
    if (changed.has(at)) return come.map(([, line]) => line)
    return come.length === 0 ? [] : [`${pathOf(at)}: ${come.length} in this file, which it did not change`]
  })
}

function toldIn(text: string): readonly string[] {
  const from = text.indexOf('New errors of TypeScript since this change:\n')
  expect(text).not.toContain('Not checked')
  return from < 0 ? [] : text.slice(from).split('\n').slice(1)
}

function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

it('[WS31] random edits by tools and commands, with edits of others between, are told as they are and none stale', async () => {
  const seed = Number(process.env['HOLDFAST_SEED'] ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}`)
  const random = createRandom(seed)
  const kind = (): Kind => (random(2) === 0 ? 'number' : 'string')
  const part = (): Part => ({ gives: kind(), isWrong: random(4) === 0, uses: random(FILES), as: kind() })
  let state: State = new Map()
  let staleCount = 0
  const stateWith = (at: number, now: Part | null): State => {
    const next = new Map(state)
    if (now === null) next.delete(at)
    else next.set(at, now)
    return next
  }
  async function edit(after: State, name: string, input: Json): Promise<void> {
    const told = toldIn(await say(name, input))
    const right = expected(state, after)
    if ([...told].sort().join('\n') !== [...right].sort().join('\n')) {
      staleCount += 1
      console.log(JSON.stringify({ name, input, told, right }, null, 1))
    }
    state = after
  }
  /** Not of itself: TypeScript then says more. */
  const partOf = (at: number): Part => {
    const one = part()
    return one.uses === at ? { ...one, uses: (at + 1) % FILES } : one
  }
  for (let at = 0; at < FILES; at += 1) {
    const now = partOf(at)
    await edit(stateWith(at, now), 'write', { path: pathOf(at), content: textOf(at, now) })
  }
  for (let round = 0; round < EDITS; round += 1) {
    const at = random(FILES)
    const old = state.get(at)
    const now = partOf(at)
    const path = pathOf(at)
    // Somebody else writes over another file, and tells nobody.
    if (random(5) === 0) {
      const other = random(FILES)
      if (state.has(other)) {
        const theirs = partOf(other)
        writeFileSync(join(root, pathOf(other)), textOf(other, theirs))
        state = stateWith(other, theirs)
      }
    }
    const way = random(old === undefined ? 2 : 6)
    const same = old !== undefined && second(at, old) === second(at, now)
    if (way === 0) {
      if (existsSync(join(root, path))) await say('read', { path })
      if (old === undefined || textOf(at, state.get(at) ?? old) !== textOf(at, now))
        await edit(stateWith(at, now), 'write', { path, content: textOf(at, now) })
    } else if (way === 1) {
      await edit(stateWith(at, now), 'shell', { command: `cat > ${path} <<'END'\n${textOf(at, now)}END` })
    } else if (way === 2 && !same) {
      await say('read', { path })
      const before = state.get(at) ?? now
      const edited = { ...before, gives: now.gives, isWrong: !before.isWrong }
      await edit(stateWith(at, edited), 'edit', {
        path,
        old_text: second(at, before),
        new_text: second(at, edited),
      })
    } else if (way === 3) {
      const before = state.get(at) ?? now
      const edited: Part = { ...before, as: before.as === 'number' ? 'string' : 'number' }
      await edit(stateWith(at, edited), 'shell', {
        command: `sed -i 's/u${at}: ${before.as}/u${at}: ${edited.as}/' ${path}`,
      })
    } else if (way === 4) {
      await edit(stateWith(at, null), random(2) === 0 ? 'delete' : 'shell', { path, command: `rm ${path}` })
    } else if (way === 5) {
      // Two at once.
      const other = (at + 1) % FILES
      const theirs = partOf(other)
      const after = new Map(stateWith(at, now)).set(other, theirs)
      const command = [at, other]
        .map((one) => `cat > ${pathOf(one)} <<'END'\n${textOf(one, after.get(one) ?? now)}END`)
        .join('\n')
      await edit(after, 'shell', { command })
    }
  }
  expect(staleCount).toBe(0)
}, 600_000)

it('[WS31] nothing is asked where a conversation does not want it', async () => {
  bench.setWanted(false)
  const path = 'src/unwanted.ts'
  expect(await say('write', { path, content: 'export const x: string = 1\n' })).not.toContain('New errors')
})
