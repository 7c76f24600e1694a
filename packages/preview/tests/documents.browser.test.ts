import { createServer, type Server } from 'node:http'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entered, listening } from './support/opened.ts'

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
})

afterAll(async () => {
  await browser.close()
})

/** What a page does: code that its policy allows, and code that it forbids. */
interface Fixture {
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly html: string
  readonly encode?: (html: Buffer) => Buffer
  readonly charset?: BufferEncoding
  /** Which of `own`, `evil`, `handler` and `evaluated` are to have run. */
  readonly runs: readonly string[]
}

const OWN = '<script src="/own.js"></script>'
const EVIL = '<script>ran("evil")</script><img src="x:" onerror="ran(\'handler\')">'
const page = (head: string, body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8">${head}</head><body><p id="text">größer</p>${body}</body></html>`

const FIXTURES: Readonly<Record<string, Fixture>> = {
  'without a policy': { html: page('', OWN + EVIL), runs: ['own', 'evil', 'handler', 'evaluated'] },
  'in gzip': {
    html: page('', OWN),
    encode: gzipSync,
    headers: { 'content-encoding': 'gzip' },
    runs: ['own', 'evaluated'],
  },
  'in brotli': {
    html: page('', OWN),
    encode: brotliCompressSync,
    headers: { 'content-encoding': 'br' },
    runs: ['own', 'evaluated'],
  },
  'in zstd': {
    html: page('', OWN),
    encode: zstdCompressSync,
    headers: { 'content-encoding': 'zstd' },
    runs: ['own', 'evaluated'],
  },
  'in another charset': {
    html: '<!doctype html><html><head></head><body><p id="text">größer</p><script src="/own.js"></script></body></html>',
    charset: 'latin1',
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    runs: ['own', 'evaluated'],
  },
  'without a head': { html: `<p id="text">gr&ouml;&szlig;er</p>${OWN}`, runs: ['own', 'evaluated'] },
  'with a policy in itself': {
    html: page(`<meta http-equiv="content-security-policy" content="script-src 'self'">`, OWN + EVIL),
    runs: ['own'],
  },
  'with a strict policy in its head': {
    headers: { 'content-security-policy': "default-src 'none'; script-src 'self'" },
    html: page('', OWN + EVIL),
    runs: ['own'],
  },
  'with a nonce and strict-dynamic': {
    headers: {
      'content-security-policy': "script-src 'nonce-abc' 'strict-dynamic' 'unsafe-inline' https:; object-src 'none'",
    },
    html: page('', `<script nonce="abc" src="/own.js"></script>${EVIL}`),
    runs: ['own'],
  },
  'that allows its inline code and nothing else': {
    headers: { 'content-security-policy': "script-src 'unsafe-inline'" },
    html: page('', OWN + EVIL),
    runs: ['evil', 'handler'],
  },
  'that forbids all code': {
    headers: { 'content-security-policy': "default-src 'none'" },
    html: page('', OWN + EVIL),
    runs: [],
  },
  'with two policies at once': {
    headers: {
      'content-security-policy': ["script-src 'self' 'unsafe-inline'", "script-src 'nonce-abc' 'strict-dynamic'"],
    },
    html: page('', `<script nonce="abc" src="/own.js"></script>${EVIL}`),
    runs: ['own'],
  },
  'that wants trusted types': {
    headers: { 'content-security-policy': "require-trusted-types-for 'script'; script-src 'self'" },
    html: page('', OWN + EVIL),
    runs: ['own'],
  },
  'of an error': { headers: { 'x-status': '500' }, html: page('', OWN), runs: ['own', 'evaluated'] },
}

function serverOf({ headers = {}, html, encode, charset }: Fixture): Server {
  return createServer((incoming, outgoing) => {
    if (incoming.url === '/own.js') {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' })
      outgoing.end('ran("own"); try { new Function("ran(\'evaluated\')")() } catch {}')
      return
    }
    if (incoming.url !== '/') {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<head><p>a part')
      return
    }
    const { 'x-status': status = '200', ...others } = headers
    const body = Buffer.from(html, charset ?? 'utf8')
    outgoing.writeHead(Number(status), { 'content-type': 'text/html; charset=utf-8', etag: '"x"', ...others })
    outgoing.end(encode ? encode(body) : body)
  })
}

/** Our script here: says that it ran first, and lets the page say what ran. */
const SCRIPT = `(function (given) {
  window.order = ['ours']
  window.secretOf = () => given.secret
  window.ran = (name) => window.order.push(name)
})`

async function shown(fixture: Fixture): Promise<{ readonly tab: Page; readonly close: () => Promise<void> }> {
  const server = await listening(serverOf(fixture), '127.0.0.1')
  const { previews, id } = await entered(server, { script: async () => SCRIPT })
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(previews.ticket({ previewId: id, visitor: 'ada', path: '/' }))
  return { tab, close: () => context.close() }
}

for (const [name, fixture] of Object.entries(FIXTURES)) {
  test(`[PREV3] a page ${name} has our script before all else, and its policy holds for everything else`, async () => {
    const { tab, close } = await shown(fixture)
    try {
      const wanted = ['ours', ...fixture.runs].sort()
      await expect.poll(() => tab.evaluate('[...window.order].sort()')).toEqual(wanted)
      expect(await tab.evaluate('window.order[0]')).toBe('ours')
      expect(await tab.textContent('#text')).toBe('größer')
      expect(await tab.evaluate('document.compatMode')).toBe(name === 'without a head' ? 'BackCompat' : 'CSS1Compat')
    } finally {
      await close()
    }
  })
}

test('[PREV3] the page cannot read what its script proves itself with, and what it fetches has no script in it', async () => {
  const { tab, close } = await shown({ html: page('', OWN), runs: [] })
  try {
    const secret = await tab.evaluate<string>('secretOf()')
    const tried = await tab.evaluate<string[]>(`(async () => {
      const src = document.querySelector('script').src
      const texts = [document.documentElement.outerHTML]
      for (const options of [{}, { mode: 'no-cors' }, { cache: 'only-if-cached', mode: 'same-origin' }, { cache: 'force-cache' }])
        texts.push(await fetch(src, options).then((answer) => answer.text(), String))
      texts.push(await fetch('/part').then((answer) => answer.text()))
      texts.push(JSON.stringify(performance.getEntries()))
      texts.push(document.cookie)
      const again = document.createElement('script')
      again.src = src
      texts.push(await new Promise((resolve) => { again.onload = () => resolve('loaded'); again.onerror = () => resolve('refused'); document.head.append(again) }))
      return texts
    })()`)
    expect(secret).toMatch(/^[\w-]{22}$/)
    expect(tried.filter((text) => text.includes(secret))).toEqual([])
    expect(tried.at(-1)).toBe('refused')
    expect(tried[5]).toBe('<head><p>a part')
  } finally {
    await close()
  }
})

test('[PREV3] a worker of the page that stands between sees no secret either', async () => {
  const server = await listening(
    createServer((incoming, outgoing) => {
      if (incoming.url === '/worker.js') {
        outgoing.writeHead(200, { 'content-type': 'text/javascript' })
        outgoing.end(`const seen = []
          onfetch = (event) => event.respondWith(fetch(event.request).then(async (answer) => { seen.push(await answer.clone().text()); return answer }))
          onmessage = (event) => event.source.postMessage(seen)
          oninstall = () => skipWaiting()
          onactivate = (event) => event.waitUntil(clients.claim())`)
        return
      }
      outgoing.writeHead(200, { 'content-type': 'text/html' })
      outgoing.end('<!doctype html><html><head></head><body>page</body></html>')
    }),
    '127.0.0.1',
  )
  const { previews, id } = await entered(server, { script: async () => SCRIPT })
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await tab.goto(previews.ticket({ previewId: id, visitor: 'ada', path: '/' }))
    await tab.evaluate(`navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)`)
    await tab.reload()
    const seen = await tab.evaluate<string[]>(`new Promise((resolve) => {
      navigator.serviceWorker.onmessage = (event) => resolve(event.data)
      navigator.serviceWorker.controller.postMessage('seen')
    })`)
    const secret = await tab.evaluate<string | null>('typeof secretOf === "function" ? secretOf() : null')
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter((text) => secret !== null && text.includes(secret))).toEqual([])
  } finally {
    await context.close()
  }
})
