import { expect, test } from 'vitest'
import type { IncomingRequest } from '../src/door/gate.ts'
import { checkRequestOrigin } from '../src/door/request-origin.ts'

const HOSTS = new Set(['127.0.0.1:4747', 'localhost:4747', '[::1]:4747', 'desk.example.org'])

const deps = {
  allowedHosts: () => HOSTS,
  publicUrl: new URL('https://desk.example.org'),
  cookieName: () => 'our_cookie',
}

function incoming(given: Partial<IncomingRequest>): IncomingRequest {
  return {
    method: 'GET',
    target: '/',
    headers: { host: 'localhost:4747' },
    cookies: {},
    isSocket: false,
    protocol: 'http',
    address: '127.0.0.1',
    ...given,
  }
}

function isLet(given: Partial<IncomingRequest>): boolean {
  try {
    checkRequestOrigin(deps, incoming(given))
    return true
  } catch (error) {
    expect(error).toMatchObject({ status: 403 })
    return false
  }
}

/** Names that look like ours. */
const STRANGE_HOSTS = [
  ...['', ' ', 'localhost', 'localhost:80', 'localhost:4748', 'localhost:47470', 'localhost.:4747', 'xlocalhost:4747'],
  ...['localhost:4747.evil.org', 'localhost:4747@evil.org', 'evil.org', 'evil.org:4747', '127.0.0.1', '127.1:4747'],
  ...['127.0.0.1.nip.io:4747', '0.0.0.0:4747', '0:4747', '2130706433:4747', '0x7f000001:4747', '[::]:4747', '::1:4747'],
  ...['[::ffff:127.0.0.1]:4747', '[0:0:0:0:0:0:0:1]:4747', 'desk.example.org.', 'desk.example.org:443', 'null', '*'],
  ...[
    'desk.example.org.evil.org',
    'evil-desk.example.org',
    'sub.desk.example.org',
    'desk.example.org/x',
    'ｌocalhost:4747',
  ],
]

test(`[SEC2] answers to none of ${STRANGE_HOSTS.length} names that look like its own`, () => {
  expect(STRANGE_HOSTS.length).toBeGreaterThanOrEqual(30)
  expect(STRANGE_HOSTS.filter((host) => isLet({ headers: { host } }))).toEqual([])
  for (const host of [...HOSTS, 'LOCALHOST:4747']) expect(isLet({ headers: { host } })).toBe(true)
  expect(isLet({ headers: {} })).toBe(false)
})

/** Origins that look like ours: every host above, and every wrong scheme, end and beginning. */
const STRANGE_ORIGINS = [
  ...STRANGE_HOSTS.map((host) => `http://${host}`),
  ...['null', '', 'http://', 'https://localhost:4747', 'HTTP://localhost:4747', 'http://LOCALHOST:4747'],
  ...['http://localhost:4747/', 'http://localhost:4747/x', 'http://localhost:4747?', 'http://localhost:4747#'],
  ...['http://user@localhost:4747', 'http://localhost:4747 ', ' http://localhost:4747', 'ws://localhost:4747'],
  ...['file://', 'chrome-extension://abc', 'data:', 'about:blank', 'blob:http://localhost:4747', 'javascript:1'],
  ...['http://127.0.0.1:4747', 'http://[::1]:4747', 'https://desk.example.org', 'http://desk.example.org'],
  ...['http://xn--localhost-:4747', 'http://localhost%3A4747', 'http://localhost:4747\t', 'http:localhost:4747'],
]

test(`[SEC2] takes none of ${STRANGE_ORIGINS.length} origins for the page of localhost:4747`, () => {
  expect(STRANGE_ORIGINS.length).toBeGreaterThanOrEqual(60)
  const isTaken = (origin: string, given: Partial<IncomingRequest>) =>
    isLet({ ...given, headers: { host: 'localhost:4747', origin }, cookies: { our_cookie: 'x' } })
  for (const given of [{}, { method: 'POST' }, { isSocket: true }]) {
    expect(STRANGE_ORIGINS.filter((origin) => isTaken(origin, given))).toEqual([])
    expect(isTaken('http://localhost:4747', given)).toBe(true)
  }
})

test('[SEC2] what changes something with the cookie alone names its origin', () => {
  const cookies = { our_cookie: 'x' }
  for (const given of [{ method: 'POST' }, { method: 'DELETE' }, { isSocket: true }]) {
    expect(isLet({ ...given, cookies })).toBe(false)
    expect(isLet({ ...given, cookies: { other: 'x' } })).toBe(true)
    expect(isLet({ ...given, cookies, headers: { host: 'localhost:4747', authorization: 'Bearer x' } })).toBe(true)
  }
  expect(isLet({ cookies })).toBe(true)
})
