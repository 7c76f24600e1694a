import { expect, test } from 'vitest'
import { serve, TOKEN } from './support/serve.ts'

test('[PACK32] a wrong address gives a person a page that leads on, and a program its problem', async () => {
  const served = await serve({ webRoot: null })
  const ask = (path: string, accept: string) =>
    fetch(`${served.url}${path}`, { headers: { accept, authorization: `Bearer ${TOKEN}` } })
  try {
    const page = await ask('/nope?x=<b>', 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toContain('text/html')
    const text = await page.text()
    expect(text).toContain('<a href="/">')
    expect(text).toContain('<a href="/docs/">')
    expect(text).not.toContain('nope')
    for (const [path, accept] of [
      ['/nope', '*/*'],
      ['/nope', 'application/json'],
      ['/api/v1/nope', 'text/html'],
    ] as const) {
      const answer = await ask(path, accept)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'not-found' })
    }
  } finally {
    await served.close()
  }
})
