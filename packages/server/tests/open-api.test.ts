import { createHash } from 'node:crypto'
import { API_PATH, type Route, routes } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { serve } from './support/serve.ts'

const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query']),
        required: z.boolean(),
        schema: z.looseObject({}),
      }),
    )
    .optional(),
  requestBody: z
    .object({ required: z.boolean(), content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })) })
    .optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
})
const Description = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

async function description() {
  const served = await serve({ webRoot: null })
  const answer = await served.call('GET', `${API_PATH}/openapi.json`)
  await served.close()
  expect(answer.status).toBe(200)
  return Description.parse(answer.body)
}

test('[SEC1] the description of the API names every route, and no other', async () => {
  const { paths } = await description()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  )
  const served = Object.entries<Route>(routes).map(
    ([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(described.sort()).toEqual(served.sort())
})

test('[SEC1] the description gives every parameter of an address, and a body exactly where one is read', async () => {
  const { paths } = await description()
  for (const [path, methods] of Object.entries(paths)) {
    for (const { operationId, parameters = [], requestBody, responses } of Object.values(methods)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(inPath.sort(), operationId).toEqual(named.sort())
      const route = Object.entries<Route>(routes).find(([name]) => name === operationId)?.[1]
      const reads = route !== undefined && (!(route.body instanceof z.ZodUnknown) || route.takes !== undefined)
      expect(requestBody !== undefined, operationId).toBe(reads)
      expect(Object.keys(responses).sort(), operationId).toEqual(
        [...Object.keys(route?.answers ?? {}), 'default'].sort(),
      )
    }
  }
  const listed = paths['/conversations']?.get?.parameters?.map(({ name, required }) => [name, required])
  expect(listed).toEqual(
    expect.arrayContaining([
      ['before', false],
      ['archived', false],
    ]),
  )
  expect(paths['/conversations/{id}/rewind']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
    type: 'object',
    required: ['commandId', 'toSeq', 'reason'],
    properties: { toSeq: { type: 'integer', minimum: 0 } },
  })
})

test('[SEC3] the page of the API has every route, frame and close code, loads nothing, and opens in any browser', async () => {
  const served = await serve({ webRoot: null })
  try {
    const address = `${served.url}/docs/api`
    // A browser that follows a link sends no key of a page.
    const answer = await fetch(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await answer.text()
    const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
    expect(page).not.toMatch(/<(script|img|link|iframe)|src=|https?:/i)
    const named = [...page.matchAll(/<span class="method">(\w+)<\/span> <code>([^<]+)<\/code>/g)]
    expect(named.map(([, method, path]) => `${method} ${path}`).toSorted()).toEqual(
      Object.values<Route>(routes)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    )
    for (const word of ['follow', 'answer-permission', 'caught-up', 'goodbye', '4408'])
      expect(page, word).toContain(word)
  } finally {
    await served.close()
  }
})
