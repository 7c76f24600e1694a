import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { openWorkbench, PLAIN_MACHINE, SECRET, type Workbench } from './workbench.ts'

/** What a search finds, whoever looks. */
export function describeSearch(name: string, ripgrep: string | null): void {
  const openSearch = () => openWorkbench({ machine: { ...PLAIN_MACHINE, ripgrep } })

  async function search(bench: Workbench, input: Json): Promise<string> {
    return bench.say('search', input)
  }

  describe(`search ${name}`, () => {
    it('[WS1] finds lines with their numbers, files by name, around them what was asked for', async () => {
      const bench = await openSearch()
      bench.put('src/a.ts', 'one\ntwo needle\nthree\n')
      bench.put('src/deep/b.ts', 'NEEDLE\r\nneedle needle\r\n')
      bench.put('c.md', 'needle.')
      const text = await search(bench, { pattern: 'nee+dle' })
      expect(text).toContain('ok: 3 lines in 3 files (by ')
      expect(text).toContain('c.md\n     1:\tneedle.')
      expect(text).toContain('src/a.ts\n     2:\ttwo needle')
      expect(text).toContain('src/deep/b.ts\n     2:\tneedle needle')
      expect(await search(bench, { pattern: 'needle', ignore_case: true, path: 'src/deep' })).toContain(
        'ok: 2 lines in 1 files',
      )
      expect(await search(bench, { pattern: 'needle', files: '*.ts' })).not.toContain('c.md')
      expect(await search(bench, { pattern: 'needle', files: 'a.*', path: 'src' })).toContain('ok: 1 lines in 1 files')
      expect(await search(bench, { pattern: 'needle.', path: 'c.md', literal: true })).toContain('ok: 1 lines')
      expect(await search(bench, { pattern: 'needle', path: 'src/a.ts', context_lines: 1 })).toContain(
        'src/a.ts\n     1-\tone\n     2:\ttwo needle\n     3-\tthree',
      )
      expect(await search(bench, { pattern: '^three$' })).toContain('src/a.ts\n     3:\tthree')
      await bench.close()
    })

    it('[WS1] refuses a pipe that it is pointed at, and waits for none that it meets', async () => {
      const bench = await openSearch()
      execFileSync('mkfifo', [join(bench.root, 'pipe')])
      bench.put('c.md', 'needle.')
      expect(await search(bench, { pattern: 'needle', path: 'pipe' })).toContain('error: pipe is not a file')
      expect(await search(bench, { pattern: 'needle' })).toContain('ok: 1 lines in 1 files')
      await bench.close()
    })

    it("[WS1] leaves out what is ignored, binary, git's own, or outside", async () => {
      const bench = await openSearch()
      bench.put('.gitignore', 'skipped/\n')
      bench.put('skipped/a.txt', 'needle')
      bench.put('.git/config', 'needle')
      bench.put('b.bin', 'needle\0')
      bench.put('.env', 'needle')
      symlinkSync(bench.outside, join(bench.root, 'link'))
      symlinkSync(join(bench.outside, 'secret.txt'), join(bench.root, 'link.txt'))
      expect(await search(bench, { pattern: 'needle' })).toContain('ok: 1 lines in 1 files')
      expect(await search(bench, { pattern: 'needle', include_ignored: true })).toContain('skipped/a.txt')
      for (const path of ['.', 'link', 'link.txt', '..', bench.outside]) {
        expect(await search(bench, { pattern: 'CANARY', path, include_ignored: true })).not.toContain(SECRET)
      }
      await bench.close()
    })

    it('[TOOL1] says what is wrong with a pattern, and takes one that looks like an option', async () => {
      const bench = await openSearch()
      bench.put('a.txt', '--files (')
      expect(await search(bench, { pattern: '(' })).toContain('error: ( cannot be searched for')
      expect(await search(bench, { pattern: '(', literal: true })).toContain('ok: 1 lines')
      expect(await search(bench, { pattern: '--files' })).toContain('ok: 1 lines')
      expect(await search(bench, { pattern: 'none' })).toContain('ok: No line matches none')
      expect(await search(bench, { pattern: 'a', path: 'gone/x' })).toContain('error: There is no gone')
      await bench.close()
    })

    it('[TOOL5] is bounded in lines and in time, whatever the pattern is', async () => {
      const bench = await openSearch()
      bench.put('many.txt', 'needle\n'.repeat(1_000))
      bench.put('long.txt', `${'a'.repeat(50_000)}\n`)
      const text = await search(bench, { pattern: 'needle' })
      expect(text).toContain('ok: 200 lines')
      expect(text).toContain('There may be more')
      const from = performance.now()
      await search(bench, { pattern: '(a+)+$|(a|aa)+b' })
      expect(performance.now() - from).toBeLessThan(5_000)
      await bench.close()
    })
  })
}
