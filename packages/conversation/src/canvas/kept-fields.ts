import type { Json } from '../json.ts'

type Fields = Readonly<Record<string, Json>>

/**
 * The fields of an element as a canvas keeps them: columns and items that are given by their words alone get the rest,
 * and items and choices without an id get one by their place.
 */
export function keptFields(fields: Fields): Record<string, Json> {
  const kept: Record<string, Json> = { ...fields }
  if (Array.isArray(fields['columns'])) kept['columns'] = fields['columns'].map((column: Json) => named(column, 'name'))
  if (Array.isArray(fields['items'])) kept['items'] = numbered(fields['items'], 'item')
  if (Array.isArray(fields['choices'])) kept['choices'] = numbered(fields['choices'], 'choice')
  return kept
}

function named(value: Json, name: 'name' | 'text'): Json {
  return typeof value === 'string' ? { [name]: value } : value
}

function numbered(values: readonly Json[], prefix: 'item' | 'choice'): Json[] {
  return values.map((value, index) => {
    const item = named(value, 'text')
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item)
    return isObject ? { id: `${prefix}-${index + 1}`, ...item } : item
  })
}
