import { expect, test } from 'vitest'
import { hostToSay } from '../src/shared/markdown/safe-address.ts'

test('[UI46] a link whose words are another address says where it leads', () => {
  const misleading: readonly (readonly [string, string, string])[] = [
    ['https://evil.example/', 'https://google.com', 'evil.example'],
    ['https://evil.example/', 'see google.com/login', 'evil.example'],
    ['https://google.com@evil.example/', 'ok', 'evil.example'],
    ['https://\u0430pple.com/login', 'https://\u0430pple.com/login', 'xn--pple-43d.com'],
    ['https://evil.example:8443/a', '(www.google.com)', 'evil.example:8443'],
  ]
  for (const [url, words, host] of misleading) expect(hostToSay(new URL(url), words), url).toBe(host)
})

test('[UI46] nothing is said where words name the host, or none', () => {
  const plain: readonly (readonly [string, string])[] = [
    ['https://example.com/a', 'the manual'],
    ['https://www.example.com/a', 'example.com'],
    ['https://example.com/a/b.html', 'https://example.com/a/b.html'],
    ['https://github.com/x/y', 'y: a library on github.com'],
    ['mailto:a@example.com', 'a@example.com'],
    ['https://example.com/', 'version 1.2.3'],
  ]
  for (const [url, words] of plain) expect(hostToSay(new URL(url), words), words).toBeNull()
})
