import { Json } from '@holdfast/conversation'
import * as z from 'zod'

/** JSON Schema of the draft that OpenAPI 3.1 takes, without the line that names the draft. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return Json.parse(JSON.parse(JSON.stringify(described)))
}
