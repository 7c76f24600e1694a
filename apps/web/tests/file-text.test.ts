import { expect, test } from 'vitest'
import { contentOf, firstOtherLine, textContent } from '../src/files/file-text.ts'
import { NO_MARKS, rowsOf, toMarks } from '../src/files/tree-rows.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('[UI69] line ends, byte order mark and an end without a line end stay as they are', () => {
  for (const text of ['a\r\nb\r\nc', '\ufeffa\nb', 'a\r\nb\nc\r', 'no end', '', '\r\n']) {
    const read = textContent(text)
    expect(read.mark + read.text.split(read.lineEnd).join(read.lineEnd)).toBe(text)
  }
  expect(textContent('a\r\nb\r\n').lineEnd).toBe('\r\n')
  expect(textContent('a\r\nb\n').lineEnd).toBe('\n')
})

test('[UI72] what is no text in UTF-8 is looked at and not edited', () => {
  expect(contentOf(bytes('größe'), true)).toMatchObject({ type: 'text' })
  expect(contentOf(new Uint8Array([0x63, 0xe9]), true)).toEqual({ type: 'look', text: 'cé', why: 'not-utf-8' })
  expect(contentOf(new Uint8Array([0xff, 0xfe, 0x61, 0]), true)).toMatchObject({ type: 'look', why: 'not-utf-8' })
  expect(contentOf(new Uint8Array([1, 0, 2]), true)).toEqual({ type: 'binary' })
  expect(contentOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), true)).toEqual({ type: 'picture' })
  // A beginning may end within a letter.
  expect(contentOf(bytes('größe').subarray(0, 3), false)).toEqual({ type: 'look', text: 'gr', why: 'large' })
})

test('[UI68] marks stand at files, at the folders above them, and where a file is gone', () => {
  const file = (name: string) => ({ name, type: 'file', isIgnored: false }) as const
  const folder = (name: string) => ({ name, type: 'folder', isIgnored: false }) as const
  const known = (entries: readonly (ReturnType<typeof file> | ReturnType<typeof folder>)[]) => ({
    entries,
    totalCount: entries.length,
    isCut: false,
    problem: null,
  })
  const marks = toMarks(
    [
      { path: 'src/a.ts', mark: 'changed' },
      { path: 'fresh/', mark: 'new' },
      { path: 'old.txt', mark: 'deleted' },
    ],
    NO_MARKS,
  )
  const rows = rowsOf({
    folders: new Map([
      ['.', known([folder('fresh'), folder('src')])],
      ['src', known([file('a.ts'), file('b.ts')])],
      ['fresh', known([file('c.ts')])],
    ]),
    open: new Set(['src', 'fresh']),
    marks,
  })
  expect(rows.map((row) => (row.type === 'entry' ? `${row.path} ${row.mark}` : row.type))).toEqual([
    'fresh new',
    'fresh/c.ts new',
    'src inside',
    'src/a.ts changed',
    'src/b.ts null',
    'old.txt deleted',
  ])
})

test('[UI68] the first line that is another is found', () => {
  expect(firstOtherLine('a\nb\nc', 'a\nB\nc')).toBe(2)
  expect(firstOtherLine('a\nb', 'a')).toBe(1)
  expect(firstOtherLine('a', 'a')).toBeNull()
})
