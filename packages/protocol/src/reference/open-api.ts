import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import { PROBLEM_MEDIA_TYPE, Problem } from '../parts/problem.ts'
import type { Route } from '../parts/route.ts'
import { API_PATH } from '../routes/own-routes.ts'
import { routes } from '../routes/routes.ts'
import { schemaOf } from './json-schema-of.ts'

/** The description of all routes, as OpenAPI 3.1 has it: the same schemas that requests are checked with. */
export function openApiOf(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(name, route)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: API_PATH }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function operationOf(name: string, route: Route): Json {
  const answers = Object.entries(route.answers).map(([status, schema]): [string, Json] => [
    status,
    { description: 'Done', content: { [route.gives ?? 'application/json']: contentOf(schema, 'output') } },
  ])
  const problem = {
    description: 'Refused or failed; `code` says why',
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  }
  const parameters = [...parametersIn('path', route.params), ...parametersIn('query', route.query)]
  return {
    operationId: name,
    security: route.access === 'anyone' ? [] : [{ token: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route),
    responses: { ...Object.fromEntries(answers), default: problem },
  }
}

function bodyOf({ takes, body }: Route): { [name: string]: Json } {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  if (takes === 'application/octet-stream')
    return { requestBody: { required: true, content: { [takes]: { schema: file } } } }
  if (takes !== undefined) {
    const schema = { type: 'object', required: ['file'], properties: { file } }
    return { requestBody: { required: true, content: { [takes]: { schema } } } }
  }
  if (body instanceof z.ZodUnknown) return {}
  return { requestBody: { required: true, content: { 'application/json': contentOf(body, 'input') } } }
}

function contentOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  return schema instanceof z.ZodUnknown ? {} : { schema: schemaOf(schema, io) }
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { required } = RequiredNames.parse(schemaOf(schema, 'input'))
  return Object.entries<z.ZodType>(schema.shape).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: schemaOf(value, 'input'),
  }))
}

/** What a JSON Schema of an object says of the fields that must be there. */
const RequiredNames = z.looseObject({ required: z.array(z.string()).default([]) })
