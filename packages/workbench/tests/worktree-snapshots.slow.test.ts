import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { everythingIn, openBench } from './support/worktree-bench.ts'

/** Names as people and attackers make them: bytes, one character each. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'readme.md',
    'kept.txt',
    'crlf.txt',
    'tool',
    'deep',
    ' ',
    '-x',
    '"',
    '\\',
    '*',
    ':(top)a',
    '\n',
    'a\nb',
    '\t',
    '\xff\xfe',
    '\xc3\xa4',
    '?',
    '#',
    '.gitattributes',
  ),
  fc.string({ minLength: 1, maxLength: 5, unit: 'binary-ascii' }),
)
const isName = (text: string) => !/[/\0]/.test(text) && text !== '.' && text !== '..' && !/^\.git$/i.test(text)
const path = fc.array(name.filter(isName), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
/** Each starts some thirty processes of git. */
const ROUNDS = process.env['HOLDFAST_FULL'] === '1' ? 100 : 25

const content = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', 'first\r\nsecond\r\n', 'first\nsecond\n', 'mixed\r\nends\n').map((text) => Buffer.from(text)),
)
const act = fc.oneof(
  fc.record({ type: fc.constant('write' as const), path, content, mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444) }),
  fc.record({ type: fc.constant('link' as const), path, target: path }),
  fc.record({
    type: fc.constant('delete' as const),
    path: fc.oneof(path, fc.constantFrom('readme.md', 'kept.txt', 'deep', 'tool')),
  }),
  fc.record({ type: fc.constant('stage' as const) }),
)

it('[WS8] whatever is done in a worktree is there again, byte for byte, after it was removed and restored', {
  timeout: 120_000,
}, async () => {
  const bench = openBench()
  try {
    bench.write('.gitattributes', '* text=auto\n*.bin -text\n')
    for (const [file, text] of [
      ['kept.txt', 'kept\n'],
      ['crlf.txt', 'a\r\nb\r\n'],
      ['deep/er/file', 'x\n'],
      ['tool', '#!/bin/sh\n'],
    ] as const)
      bench.write(file, text)
    chmodSync(`${bench.repository}/tool`, 0o755)
    bench.git(['add', '.gitattributes', 'kept.txt', 'crlf.txt', 'deep', 'tool'])
    bench.git(['commit', '--quiet', '-m', 'more'])
    const worktrees = await bench.open()
    const { id, folder } = await worktrees.make(bench.wish())
    const at = (text: string) => Buffer.from(`${folder}/${text}`, 'latin1')
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
        bench.git(['reset', '--quiet', '--hard', 'main'], folder)
        bench.git(['clean', '-ffdxq'], folder)
        for (const one of acts) play(one, at, () => bench.git(['add', '--', '.'], folder))
        const before = everythingIn(folder)
        const status = bench.git(['status', '--porcelain', '-z'], folder)
        await worktrees.remove(id)
        await worktrees.restore(id)
        expect(everythingIn(folder)).toEqual(before)
        expect(bench.git(['status', '--porcelain', '-z'], folder)).toBe(status)
      }),
      { numRuns: ROUNDS },
    )
  } finally {
    bench.remove()
  }
})

/** What the system refuses, such as a file in the place of a folder, was not done. */
function play(
  one: typeof act extends fc.Arbitrary<infer Act> ? Act : never,
  at: (text: string) => Buffer,
  stage: () => void,
): void {
  try {
    switch (one.type) {
      case 'write':
        mkdirSync(at(one.path.split('/').slice(0, -1).join('/')), { recursive: true })
        rmSync(at(one.path), { force: true })
        writeFileSync(at(one.path), one.content)
        chmodSync(at(one.path), one.mode)
        return
      case 'link':
        mkdirSync(at(one.path.split('/').slice(0, -1).join('/')), { recursive: true })
        rmSync(at(one.path), { force: true, recursive: true })
        symlinkSync(Buffer.from(one.target, 'latin1'), at(one.path))
        return
      case 'delete':
        rmSync(at(one.path), { force: true, recursive: true })
        return
      case 'stage':
        stage()
        return
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}
