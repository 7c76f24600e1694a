import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { rejections, replaceLines } from '../src/review/chosen-lines.ts'
import { type Hunk, hunksOf } from '../src/review/hunks.ts'
import { lineEdits } from '../src/review/line-edits.ts'
import { exactText, joinLines, splitLines } from '../src/review/text-lines.ts'

/** Sources that nobody here wrote. */
const PACKAGES = [
  ...['zod', 'vite', 'react-dom', 'virtua', 'diff', 'fast-check', 'hono', 'highlight.js', 'katex', 'playwright-core'],
  ...[
    'axe-core',
    'lowlight',
    'html-to-text',
    'better-sqlite3',
    'vitest',
    'typescript',
    're2js',
    'ipaddr.js',
    'pg',
    'ws',
  ],
]
const EDITS_PER_PACKAGE = process.env['HOLDFAST_FULL'] === '1' ? 50 : 2

const folder = mkdtempSync(join(tmpdir(), 'holdfast-review-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Text files of a package, up to a size that a person reads. */
function sourcesOf(name: string): readonly string[] {
  const root = join(import.meta.dirname, '../../../node_modules', name)
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:[cm]?[jt]sx?|md|json|css|cc?|h)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(root, path))
    .filter((path) => {
      const { size } = statSync(path)
      return size > 400 && size < 400_000
    })
    .sort()
    .slice(0, 400)
}

/** One commit of a history: lines of the same file move, come, go and change. */
const act = fc.record({
  at: fc.nat(),
  goes: fc.nat(6),
  from: fc.nat(),
  copies: fc.nat(6),
  words: fc.constantFrom('', '// seen\n', '  return null\n', '\n', 'x\r\n', '}\n'),
})

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never

function edited(text: string, acts: readonly Act[]): string {
  const lines = [...splitLines(text)]
  for (const { at, goes, from, copies, words } of acts) {
    const taken = lines.slice(from % (lines.length + 1), (from % (lines.length + 1)) + copies)
    lines.splice(at % (lines.length + 1), goes, ...taken, ...(words === '' ? [] : [words]))
  }
  return joinLines(lines)
}

it(`[WS23] over the sources of ${PACKAGES.length} packages git applies the patch that hunks show, and every choice of them (${EDITS_PER_PACKAGE} histories each)`, () => {
  let judged = 0
  for (const name of PACKAGES) {
    const sources = sourcesOf(name)
    if (sources.length === 0) continue
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(act, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.boolean()),
        (pick, acts, coins) => {
          const text = exactText(readFileSync(sources[pick % sources.length] ?? ''))
          if (text === null || text === '') return
          const next = edited(text, acts)
          const [before, after] = [splitLines(text), splitLines(next)]
          const hunks = hunksOf({ path: 'a', before, after, edits: lineEdits(before, after) })
          const kept = hunks.filter(() => coins.next().value)
          const rejected = new Map(hunks.filter((hunk) => !kept.includes(hunk)).map(({ id }) => [id, 'all' as const]))
          const chosen = joinLines(replaceLines(after, rejections({ before, after }, hunks, rejected)))
          expect(applied(text, kept, hunks)).toBe(chosen)
          expect(applied(text, hunks, hunks)).toBe(next)
          const all = new Map(hunks.map(({ id }) => [id, 'all' as const]))
          expect(joinLines(replaceLines(after, rejections({ before, after }, hunks, all)))).toBe(text)
          judged += 1
        },
      ),
      { numRuns: EDITS_PER_PACKAGE },
    )
  }
  expect(judged).toBeGreaterThan(EDITS_PER_PACKAGE * 10)
}, 600_000)

/** What git makes of a text by the hunks as they are shown, each exactly where its numbers say. */
function applied(text: string, hunks: readonly Hunk[], all: readonly Hunk[]): string {
  if (hunks.length === 0) return text
  const file = join(folder, 'a')
  writeFileSync(file, text)
  const lines = splitLines(text)
  const patch = hunks.map((hunk) => {
    const count = (signs: string) => hunk.lines.filter((line) => signs.includes(line[0] ?? '')).length
    const [old, next] = [count(' -'), count(' +')]
    // Git looks for a hunk around its place, so that it would also apply one whose number is wrong.
    const there = lines.slice(Math.max(0, hunk.oldStart - 1)).slice(0, old)
    expect(oldLinesOf(hunk)).toEqual(there)
    // Where hunks before it are left out, the lines that they bring are not there.
    const left = all.slice(0, all.indexOf(hunk)).filter((other) => !hunks.includes(other))
    const newStart = hunk.newStart - left.reduce((sum, { edits }) => sum + growthOf(edits), 0)
    return `@@ -${hunk.oldStart},${old} +${newStart},${next} @@\n${hunk.lines.join('\n')}\n`
  })
  const input = `--- a/a\n+++ b/a\n${patch.join('')}`
  const said = spawnSync('git', ['apply', '--verbose', '--whitespace=nowarn', '-'], { cwd: folder, input })
  expect(said.stderr.toString()).toBe('Checking patch a...\nApplied patch a cleanly.\n')
  return readFileSync(file, 'utf8')
}

/** The lines that a hunk says are there, with their ends. */
function oldLinesOf({ lines }: Hunk): readonly string[] {
  return lines.flatMap((line, at) => {
    if (line.startsWith('+') || line.startsWith('\\')) return []
    return [`${line.slice(1)}${lines[at + 1]?.startsWith('\\') ? '' : '\n'}`]
  })
}

function growthOf(edits: Hunk['edits']): number {
  return edits.reduce((sum, { oldStart, oldEnd, newStart, newEnd }) => sum + newEnd - newStart - (oldEnd - oldStart), 0)
}
