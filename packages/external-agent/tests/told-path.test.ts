import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toldPath } from '../src/parts/told-path.ts'

let base: string
let folder: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-told-')))
  folder = join(base, 'work')
  for (const one of ['work/src', 'elsewhere']) mkdirSync(join(base, one), { recursive: true })
  writeFileSync(join(folder, 'src/a.ts'), '')
  symlinkSync('../elsewhere', join(folder, 'out'))
  symlinkSync('src', join(folder, 'inside'))
  symlinkSync(join(base, 'elsewhere/not-yet.txt'), join(folder, 'dangling'))
  symlinkSync('round', join(folder, 'round'))
})

afterEach(() => rmSync(base, { recursive: true }))

it('[AGENT76] a path of an agent is told by where it leads, through links, also to what is not there yet', () => {
  const told = (path: string) => toldPath(folder, path)
  expect([told('src/a.ts'), told(join(folder, 'src/new/b.ts')), told('./src/../c.ts')]).toEqual([
    'src/a.ts',
    'src/new/b.ts',
    'c.ts',
  ])
  expect(told(join(folder, 'inside/a.ts'))).toBe('src/a.ts')
  expect(told(join(folder, 'out/b.txt'))).toBe(join(base, 'elsewhere/b.txt'))
  expect(told('out/new/b.txt')).toBe(join(base, 'elsewhere/new/b.txt'))
  expect(told('dangling')).toBe(join(base, 'elsewhere/not-yet.txt'))
  // As the system walks it, and not by its letters.
  expect(told('out/../b.txt')).toBe(join(base, 'b.txt'))
  expect(told('../work/src/a.ts')).toBe('src/a.ts')
  expect(told('..dotted')).toBe('..dotted')
  expect(told('round/x')).toBe('round/x')
  expect(told('/etc/passwd')).toBe('/etc/passwd')
  expect(toldPath(null, 'out/b.txt')).toBe('out/b.txt')
})

it('[AGENT76] a folder that is reached through a link has its files in it', () => {
  const linked = join(base, 'linked')
  symlinkSync(folder, linked)
  expect(toldPath(linked, join(linked, 'src/a.ts'))).toBe('src/a.ts')
  expect(toldPath(linked, join(folder, 'src/a.ts'))).toBe('src/a.ts')
  expect(toldPath(linked, join(linked, 'out/b.txt'))).toBe(join(base, 'elsewhere/b.txt'))
})
