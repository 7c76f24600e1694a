import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, begun, cookieOf, OF_PAGE, opened, VISIT } from './support/opened.ts'
import { folderWith } from './support/place.ts'

/** A folder that is shown, and somebody who was let in. */
async function shown(files: Readonly<Record<string, string>>) {
  const workspace = folderWith(files)
  const { previews, port } = await opened({
    placeOf: async () => ({ workspace, workspaceId: null, conversationId: null }),
  })
  const { preview } = await previews.make({
    userId: 'ada',
    workspaceId: undefined,
    conversationId: undefined,
    source: { type: 'folder', folder: '' },
  })
  const { id, origin } = preview
  const cookie = await cookieOf(previews, { id, port, origin })
  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    ask({ port, origin, path, headers: { ...headers, cookie } })
  return { root: workspace.rootPath, previews, port, origin, cookie, get }
}

test('[PREV6] files have their types and parts, and pages have our script and nothing else has', async () => {
  const { get, root } = await shown({
    'index.html': '<!doctype html><head><p>home',
    'a.css': 'p{}',
    'data.bin': '0123456789',
  })
  mkdirSync(join(root, 'sub'))
  writeFileSync(join(root, 'sub', 'index.html'), '<p>sub')
  const page = await get('/', VISIT)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.text).toMatch(
    /^<!doctype html><head><script src="\/\.holdfast\/script\/[\w-]+\.js"><\/script><script src="\/\.reload\.js"><\/script><p>home$/,
  )
  expect((await get('/index.html', OF_PAGE)).text).toBe('<!doctype html><head><p>home')
  expect((await get('/a.css', OF_PAGE)).headers['content-type']).toBe('text/css; charset=utf-8')
  expect(await get('/sub', VISIT)).toMatchObject({ status: 301, headers: { location: '/sub/' } })
  expect((await get('/sub/', VISIT)).text).toContain('<p>sub')
  const part = async (range: string) => {
    const { status, headers, text } = await get('/data.bin', { ...OF_PAGE, range })
    return [status, headers['content-range'], text]
  }
  expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=8-')).toEqual([206, 'bytes 8-9/10', '89'])
  expect(await part('bytes=10-')).toEqual([416, 'bytes */10', ''])
  expect(await part('bytes=0-1,4-5')).toEqual([200, undefined, '0123456789'])
})

test('[PREV6] an address of an application leads to its one page, and a file that is missing does not', async () => {
  const { get } = await shown({ 'index.html': '<p>app', 'about.html': '<p>about' })
  expect((await get('/users/7', VISIT)).text).toContain('<p>app')
  expect((await get('/about', VISIT)).text).toContain('<p>about')
  expect((await get('/users/7', OF_PAGE)).status).toBe(404)
  expect((await get('/missing.js', VISIT)).status).toBe(404)
})

test('[PREV6] of fifty ways out of a folder, and to what is hidden in it, none gives anything', async () => {
  const { get, root } = await shown({ 'index.html': '<p>app', '.env': 'KEY=SECRET', 'kept~': 'SECRET' })
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git', 'config'), 'SECRET')
  writeFileSync(`${root}-beside`, 'SECRET')
  symlinkSync('/etc/passwd', join(root, 'passwd'))
  symlinkSync('/etc', join(root, 'etc'))
  symlinkSync('.env', join(root, 'env.txt'))
  const up = [
    '..',
    '%2e%2e',
    '%2e.',
    '.%2e',
    '%252e%252e',
    '..%2f',
    '..%5c',
    '..\\',
    '....//',
    '..;',
    '..%00',
    '%c0%ae%c0%ae',
    '.',
    './..',
  ]
  const ways = [
    ...up.flatMap((step) => [`/${step}/etc/passwd`, `/a/${step}/${step}/${step}/${step}/etc/passwd`]),
    ...[
      '/.env',
      '/%2eenv',
      '/%2Eenv',
      '/./.env',
      '//.env',
      '/.git/config',
      '/%2egit/config',
      '/.git%2fconfig',
      '/index.html/../.env',
      '/kept~',
    ],
    ...[
      '/passwd',
      '/etc/passwd',
      '//etc/passwd',
      '/proc/self/environ',
      '/%2fetc%2fpasswd',
      '/file:///etc/passwd',
      '/\\etc\\passwd',
      '/.env?x',
      '/.env%00.html',
      '/%',
      '/%zz',
      '/.ENV',
      `/../${root.split('/').at(-1)}-beside`,
    ],
  ]
  expect(ways.length).toBeGreaterThanOrEqual(50)
  const leaks: string[] = []
  for (const way of ways)
    for (const headers of [VISIT, OF_PAGE]) {
      const { text } = await get(way, headers)
      if (/SECRET|root:x?:0/.test(text)) leaks.push(way)
    }
  expect(leaks).toEqual([])
})

test('[PREV6] a change in the folder is told to the pages that are open', async () => {
  const { root, port, origin, cookie } = await shown({ 'index.html': '<p>one' })
  const events = await begun({ port, origin, path: '/.changes', headers: { ...OF_PAGE, cookie } })
  let told = ''
  events.on('data', (piece: Buffer) => (told += piece.toString()))
  await expect.poll(() => told).toBe(': here\n\n')
  writeFileSync(join(root, 'index.html'), '<p>two')
  await expect.poll(() => told).toContain('data: changed\n\n')
  events.destroy()
})
