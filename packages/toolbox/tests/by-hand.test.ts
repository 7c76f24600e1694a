import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BlobSink } from '@holdfast/tool'
import {
  listFolder,
  openFile,
  openWorkspace,
  saveFile,
  searchLines,
  type Workspace,
  waitForChange,
} from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from './support/system-clock.ts'

let top = ''
let workspace: Workspace

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-by-hand-')))
  mkdirSync(join(top, 'work/.git'), { recursive: true })
  mkdirSync(join(top, 'work/data'))
  put('outside/secret.txt', 'CANARY')
  workspace = openWorkspace({ root: join(top, 'work'), closed: [join(top, 'work/data')] })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), content)
}

const list = (path: string, from = 0, limitCount = 1_000) => listFolder(workspace, { path, from, limitCount })
const whole = (path: string) => openFile(workspace, { path, range: null })
const blobSink: BlobSink = {
  async keep(content, { mediaType }) {
    let sizeBytes = 0
    for await (const piece of content) sizeBytes += piece.byteLength
    return { hash: 'f'.repeat(64), sizeBytes, mediaType }
  },
}
const save = (path: string, text: string | Uint8Array, expected: string | null) =>
  saveFile(
    workspace,
    { path, bytes: Buffer.from(text), expected },
    { ports: { blobSink, onChanged: () => {} }, call: { signal: new AbortController().signal } },
  )

describe('a folder', () => {
  it('[WS16] is listed folders first, in parts, with what git ignores said to be so', async () => {
    put('work/.gitignore', 'built\n*.log\n')
    put('work/b.txt', '')
    put('work/a.log', '')
    put('work/zoo/x.txt', '')
    put('work/built/deep/y.txt', '')
    const { entries, totalCount } = await list('.')
    expect(entries.map(({ name, isIgnored }) => `${name}${isIgnored ? ' ignored' : ''}`)).toEqual([
      'built ignored',
      'zoo',
      '.gitignore',
      'a.log ignored',
      'b.txt',
    ])
    expect(totalCount).toBe(5)
    expect((await list('.', 1, 2)).entries.map(({ name }) => name)).toEqual(['zoo', '.gitignore'])
    // What lies in an ignored folder is ignored with it.
    expect((await list('built/deep')).entries).toEqual([{ name: 'y.txt', type: 'file', isIgnored: true }])
  })

  it('[WS16] of any names is listed, and each of them can be opened', async () => {
    const names = ['two\nlines.txt', 'tab\there', 'back\\slash', '-rf', 'ü ü']
    for (const name of names) put(`work/odd/${name}`, name)
    const { entries } = await list('odd')
    expect(entries.map(({ name }) => name).sort()).toEqual(names.sort())
    for (const name of names) expect(Buffer.from((await whole(`odd/${name}`)).bytes).toString()).toBe(name)
    const read = await whole('odd/two\nlines.txt')
    await save('odd/two\nlines.txt', 'other', read.hash)
    expect(readFileSync(join(top, 'work/odd/two\nlines.txt'), 'utf8')).toBe('other')
  })

  it('[WS16] shows nothing from outside, nothing of the server and nothing of git, by whatever link', async () => {
    symlinkSync(join(top, 'outside'), join(top, 'work/way'))
    symlinkSync('../outside/secret.txt', join(top, 'work/file'))
    symlinkSync('data', join(top, 'work/to-data'))
    put('work/data/token', 'CANARY')
    expect((await list('.')).entries.map(({ name }) => name)).toEqual(['file', 'to-data', 'way'])
    for (const path of ['way', '..', '../outside', '/etc'])
      await expect(list(path), path).rejects.toMatchObject({ code: 'outside' })
    for (const path of ['file', 'way/secret.txt', '../outside/secret.txt', '/etc/passwd'])
      await expect(whole(path), path).rejects.toMatchObject({ code: 'outside' })
    for (const path of ['data', 'to-data']) await expect(list(path), path).rejects.toMatchObject({ code: 'protected' })
    await expect(whole('to-data/token')).rejects.toMatchObject({ code: 'protected' })
    await expect(save('way/secret.txt', 'x', null)).rejects.toMatchObject({ code: 'outside' })
    await expect(save('.git/config', 'x', null)).rejects.toMatchObject({ code: 'protected' })
    expect(readFileSync(join(top, 'outside/secret.txt'), 'utf8')).toBe('CANARY')
  })

  it('[WS16] with tens of thousands of names gives its first thousand without the others', async () => {
    mkdirSync(join(top, 'work/many'))
    for (let at = 0; at < 20_000; at++) linkOrWrite(join(top, 'work/many'), at)
    const { entries, totalCount, isCut } = await list('many')
    expect([entries.length, totalCount, isCut]).toEqual([1_000, 20_000, false])
  }, 60_000)
})

/** Names alone: links to nowhere cost no room. */
function linkOrWrite(folder: string, at: number): void {
  symlinkSync('.', join(folder, `f${String(at).padStart(6, '0')}`))
}

describe('a file', () => {
  it('[WS17] is saved over what was read and over nothing else', async () => {
    put('work/a.txt', 'one')
    const { hash } = await whole('a.txt')
    expect(await save('a.txt', 'two', hash)).toMatchObject({ path: 'a.txt', isNew: false })
    await expect(save('a.txt', 'three', hash)).rejects.toMatchObject({ code: 'conflict' })
    await expect(save('a.txt', 'three', null)).rejects.toMatchObject({ code: 'conflict' })
    expect(readFileSync(join(top, 'work/a.txt'), 'utf8')).toBe('two')
    rmSync(join(top, 'work/a.txt'))
    await expect(save('a.txt', 'three', (await save('b.txt', 'two', null)).hash)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await save('new/deep.txt', 'new', null)).toMatchObject({ path: 'new/deep.txt', isNew: true })
  })

  it('[WS17] keeps every byte that was not written, and its rights', async () => {
    const text = '\ufeffone\r\ntwo\r\nno end'
    put('work/a.sh', text)
    chmodSync(join(top, 'work/a.sh'), 0o750)
    const { bytes, hash } = await whole('a.sh')
    expect(Buffer.from(bytes).toString()).toBe(text)
    await save('a.sh', text.replace('two', '2'), hash)
    expect(readFileSync(join(top, 'work/a.sh'), 'utf8')).toBe(text.replace('two', '2'))
    expect(statSync(join(top, 'work/a.sh')).mode & 0o777).toBe(0o750)
  })

  it('[WS17] that is no UTF-8, may only be read or has a second name is left alone', async () => {
    put('work/latin.txt', Buffer.from('caf\xe9', 'latin1'))
    put('work/wide.txt', Buffer.from('\ufeffwide', 'utf16le'))
    put('work/fixed.txt', 'fixed')
    chmodSync(join(top, 'work/fixed.txt'), 0o444)
    linkSync(join(top, 'outside/secret.txt'), join(top, 'work/second.txt'))
    for (const path of ['latin.txt', 'wide.txt'])
      await expect(save(path, 'x', (await whole(path)).hash), path).rejects.toMatchObject({ code: 'not-text' })
    put('work/text.txt', 'text')
    const { hash } = await whole('text.txt')
    await expect(save('text.txt', Buffer.from([0xff, 0xfe]), hash)).rejects.toMatchObject({ code: 'not-text' })
    await expect(save('fixed.txt', 'x', (await whole('fixed.txt')).hash)).rejects.toMatchObject({ code: 'protected' })
    await expect(whole('second.txt')).rejects.toMatchObject({ code: 'hard-linked' })
    expect(readFileSync(join(top, 'work/fixed.txt'), 'utf8')).toBe('fixed')
  })

  it('[WS17] of a hundred megabytes is read by its beginning, and not whole', async () => {
    writeFileSync(join(top, 'work/big.log'), Buffer.alloc(100 << 20, 'a line\n'))
    const { bytes, sizeBytes, hash } = await openFile(workspace, { path: 'big.log', range: { from: 0, to: 6 } })
    expect([Buffer.from(bytes).toString(), sizeBytes, hash]).toEqual(['a line\n', 100 << 20, null])
    await expect(whole('big.log')).rejects.toMatchObject({ code: 'too-large' })
  })
})

describe('a search', () => {
  it('[WS18] finds lines by their letters in whatever case, and leaves out what is ignored', async () => {
    put('work/.gitignore', 'built\n')
    put('work/a.ts', 'first\nWord (.*) here\nlast')
    put('work/built/b.ts', 'word (.*) here')
    symlinkSync(join(top, 'outside'), join(top, 'work/way'))
    const ask = (words: string) =>
      searchLines(workspace, { words, signal: new AbortController().signal, ripgrep: null })
    expect(await ask('word (.*)')).toEqual({
      files: [{ path: 'a.ts', lines: [{ line: 2, text: 'Word (.*) here' }] }],
      isCut: false,
    })
    expect((await ask('CANARY')).files).toEqual([])
  })
})

describe('a wait', () => {
  const wait = (seen: readonly { path: string; stamp: string }[], signal = new AbortController().signal) =>
    waitForChange(workspace, { seen, limitMs: 20_000, signal, clock: systemClock })

  it('[WS16] ends when a file is written, made, removed or put in the place of another', async () => {
    put('work/dir/a.txt', 'one')
    const acts = [
      () => put('work/dir/a.txt', 'other'),
      () => put('work/dir/b.txt', 'new'),
      () => rmSync(join(top, 'work/dir/b.txt')),
      () => {
        put('work/c.txt', 'renamed')
        renameSync(join(top, 'work/c.txt'), join(top, 'work/dir/a.txt'))
      },
    ]
    for (const act of acts) {
      const { changed } = await wait([
        { path: 'dir', stamp: '' },
        { path: 'dir/a.txt', stamp: '' },
      ])
      expect(changed).toHaveLength(2)
      const waiting = wait(changed)
      // Whenever it comes, before or after the first look, it is told.
      act()
      const news = await waiting
      expect(news.isTouched || news.changed.length > 0).toBe(true)
    }
  })

  it('[WS16] says of what goes away and of what lies outside that it is gone', async () => {
    symlinkSync(join(top, 'outside'), join(top, 'work/way'))
    const { changed } = await wait([
      { path: 'none.txt', stamp: '' },
      { path: 'way/secret.txt', stamp: '' },
    ])
    expect(changed.map(({ stamp }) => stamp)).toEqual(['gone', 'gone'])
    const leaving = new AbortController()
    const waiting = wait(changed, leaving.signal)
    leaving.abort()
    expect(await waiting).toEqual({ changed: [], isTouched: false })
  })
})
