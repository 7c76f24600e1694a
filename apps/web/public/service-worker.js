// Keeps the shell of the page, so that it opens while its server is away. Answers of the API are never kept: they belong to
// somebody, and the page has its own way to say what it knows.

// Where the page stands: `/`, or the base path with a slash behind it. Another Holdfast may stand beside it.
const PAGE = new URL(self.registration.scope).pathname
const BASE = PAGE.slice(0, -1)
const SHELL = `holdfast-shell-1${BASE}`

const LETS_IN = ['token', 'code']

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.startsWith(`${BASE}/assets/`)) event.respondWith(assetOf(request))
  else if (url.pathname === `${BASE}/first-paint.js`) event.respondWith(newestOf(request, url.pathname))
  // A link with a token or a code is for the server alone.
  else if (request.mode === 'navigate' && !LETS_IN.some((name) => url.searchParams.has(name)))
    event.respondWith(newestOf(request, PAGE))
})

async function takeOver() {
  for (const name of await caches.keys()) if (isOlder(name)) await caches.delete(name)
  await self.clients.claim()
}

/** A shell of this page that an earlier version kept; those of a page beside it are not ours. */
function isOlder(name) {
  return name !== SHELL && name.replace(/^holdfast-shell-\d+/, '') === BASE
}

/** Names of assets hold a hash of what is in them: one that is kept is right. */
async function assetOf(request) {
  const shell = await caches.open(SHELL)
  const kept = await shell.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await shell.put(request, answer.clone())
  return answer
}

/** What the server says, or what it said last when it is not reached. */
async function newestOf(request, name) {
  const shell = await caches.open(SHELL)
  try {
    const answer = await fetch(request)
    if (answer.ok && !answer.redirected) await keep(shell, name, answer.clone())
    return answer
  } catch (error) {
    const kept = await shell.match(name)
    if (!kept) throw error
    return kept
  }
}

/** A new page has new assets: those of the page before are dropped when the next ones are asked for. */
async function keep(shell, name, answer) {
  const before = await shell.match(name)
  const [old, next] = [await before?.text(), await answer.clone().text()]
  if (name === PAGE && old !== undefined && old !== next) {
    for (const request of await shell.keys()) if (request.url.includes('/assets/')) await shell.delete(request)
  }
  await shell.put(name, answer)
}

// What the server has pushed: how much needs the person or ended, and the first of it. A person who looks at a page sees it there.
self.addEventListener('push', (event) => {
  event.waitUntil(tell(event.data?.json() ?? { count: 0, items: [] }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data))
})

async function tell({ count, items }) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const [first] = items
  if (!first || pages.some(({ focused }) => focused)) return
  const words = await wordsOf()
  const named = items.map(({ title }) => (title === '' ? words.untitled : title))
  const title = count === 1 ? named[0] : `${words.page} (${count})`
  const body = count === 1 ? (words[first.kind] ?? '') : named.join('\n')
  const path =
    count === 1 && first.conversationId !== null
      ? `${BASE}/c/${encodeURIComponent(first.conversationId)}`
      : `${BASE}/settings/inbox`
  await self.registration.showNotification(title, {
    body,
    data: path,
    tag: `holdfast.push${count === 1 ? `.${first.conversationId}` : ''}`,
    icon: `${BASE}/icon-192.png`,
  })
}

/** The page has put them there, in its language. */
async function wordsOf() {
  const kept = await (await caches.open(`holdfast-words${BASE}`)).match(`${BASE}/words`)
  return kept ? kept.json() : { page: 'Holdfast', untitled: 'Holdfast' }
}

async function show(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith(PAGE))
  if (!page) return self.clients.openWindow(path)
  await page.focus()
  return page.navigate(path)
}
