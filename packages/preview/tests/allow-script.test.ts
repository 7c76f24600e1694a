import { expect, test } from 'vitest'
import { allowScript, withoutFrameAncestors } from '../src/documents/allow-script.ts'

const script = { url: 'http://p.localhost:1/.holdfast/script/x.js', nonce: 'Tk9OQ0U=' }

const POLICIES: readonly (readonly [string, string, boolean])[] = [
  ["script-src 'self'", `script-src 'self'; script-src-elem 'self' ${script.url}`, false],
  ["default-src 'none'; img-src *", `default-src 'none'; img-src *; script-src-elem ${script.url}`, false],
  [
    "default-src 'self'; script-src 'self' 'unsafe-inline'",
    `default-src 'self'; script-src 'self' 'unsafe-inline'; script-src-elem 'self' 'unsafe-inline' ${script.url}`,
    false,
  ],
  [
    "script-src 'nonce-abc' 'strict-dynamic' https:",
    `script-src 'nonce-abc' 'strict-dynamic' https:; script-src-elem 'nonce-abc' 'strict-dynamic' https: 'nonce-${script.nonce}'`,
    true,
  ],
  ["script-src-elem 'self'; script-src 'none'", `script-src-elem 'self' ${script.url}; script-src 'none'`, false],
  [
    "script-src 'self', default-src 'none'",
    `script-src 'self'; script-src-elem 'self' ${script.url}, default-src 'none'; script-src-elem ${script.url}`,
    false,
  ],
  ["img-src 'self'", "img-src 'self'", false],
]

for (const [policy, wanted, needsNonce] of POLICIES) {
  test(`[PREV3] our script and nothing else is added to ${policy}`, () => {
    expect(allowScript(policy, script)).toEqual({ policy: wanted, needsNonce })
  })
}

test('[PREV3] of a policy only what it says of frames around the page is taken out', () => {
  expect(withoutFrameAncestors("default-src 'self'; frame-ancestors 'none'; img-src *")).toBe(
    "default-src 'self'; img-src *",
  )
  expect(withoutFrameAncestors("frame-ancestors 'none'")).toBe('')
})
