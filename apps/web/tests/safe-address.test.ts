import { expect, test } from 'vitest'
import { safeAddress } from '../src/shared/markdown/safe-address.ts'

test('[SEC3] an address that would run something is none', () => {
  const unsafe = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
  ]
  for (const text of [...unsafe, 'file:///etc/passwd', 'blob:https://a/b', '/relative', '']) {
    expect(safeAddress(text), text).toBeNull()
  }
  for (const text of ['https://example.org/a', 'http://example.org', 'mailto:a@example.org']) {
    expect(safeAddress(text)?.href, text).toBeTruthy()
  }
})
