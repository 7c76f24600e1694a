import type { CheckState } from '../check-state.ts'
import { type JsonRecord, textOf } from '../json.ts'
import { refuse } from '../openai-chat/refuse.ts'
import type { Refusal } from '../violation.ts'
import { type Item, itemsOf } from './items.ts'
import { reasoningText } from './sealing.ts'

/**
 * Reasoning goes with the item it led to and is readable by the family that wrote it. This provider stores nothing, so
 * an item that is only named is not found.
 */
export function checkReasoning(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const items = itemsOf(body)
  return [
    ...items.flatMap((item, index) => checkItem(item, items[index + 1], state)),
    ...items.flatMap((_item, index) => checkStored(items, index)),
    ...checkTwice(items),
  ]
}

function checkItem(item: Item, next: Item | undefined, { model, signer }: CheckState): readonly Refusal[] {
  if (item.type !== 'reasoning') return []
  const { path, value } = item
  const id = textOf(value.id)
  if (!isProduced(next)) {
    const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`
    return [refuse({ rule: 'O2', path: 'input', message })]
  }
  const sealed = textOf(value.encrypted_content)
  if (sealed === '') return [notFound(path, id)]
  const opened = signer.open(sealed)
  const isReadable = opened?.family === model.family && opened.covers(reasoningText(value))
  if (isReadable) return []
  const message = `The encrypted content ${sealed.slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
  return [refuse({ rule: 'O4', path: `${path}.encrypted_content`, message, code: 'invalid_encrypted_content' })]
}

function isProduced(item: Item | undefined): boolean {
  if (item === undefined) return false
  return item.type === 'message' ? item.value.role === 'assistant' : item.type !== 'function_call_output'
}

/** A call's id tells whether reasoning led to it; that reasoning must still stand before it. */
function checkStored(items: readonly Item[], index: number): readonly Refusal[] {
  const { path, type, value } = items[index] ?? { path: '', type: '', value: {} }
  const id = textOf(value.id)
  if (type === 'item_reference') return [notFound(path, id)]
  if (type !== 'function_call' || !id.startsWith('fc_r')) return []
  const before = items.slice(0, index)
  const start = before.findLastIndex((item) => item.type !== 'reasoning' && !isProduced(item))
  if (before.slice(start + 1).some((item) => item.type === 'reasoning')) return []
  const message = `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item.`
  return [refuse({ rule: 'O2', path: 'input', message })]
}

function checkTwice(items: readonly Item[]): readonly Refusal[] {
  const ids = items.map(({ value }) => textOf(value.id)).filter((id) => id !== '')
  return ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => {
      const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`
      return refuse({ rule: 'O2', path: 'input', message })
    })
}

function notFound(path: string, id: string): Refusal {
  const message =
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. ` +
    'Try again with `store` set to true, or remove this item from your input.'
  return refuse({ rule: 'O3', path, message, status: 404 })
}
