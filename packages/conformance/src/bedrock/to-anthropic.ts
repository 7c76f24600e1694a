import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'

/**
 * A Converse request as the Messages request that the model behind it reads: counting, caching and signatures are the
 * model's. A cache point becomes a mark on the block before it; one with nothing before it is left out.
 */
export function toAnthropicBody(body: JsonRecord): JsonRecord {
  const toolConfig = recordOf(body.toolConfig)
  return {
    tools: marked(listOf(toolConfig.tools), toTool),
    system: marked(listOf(body.system), toBlock),
    messages: listOf(body.messages)
      .filter(isRecord)
      .map(({ role, content }) => ({ role, content: marked(listOf(content), toBlock) })),
    tool_choice: toolConfig.toolChoice,
    ...recordOf(body.additionalModelRequestFields),
  }
}

function marked(items: readonly unknown[], convert: (item: JsonRecord) => JsonRecord): readonly JsonRecord[] {
  const done: JsonRecord[] = []
  for (const item of items.filter(isRecord)) {
    const point = item.cachePoint
    const last = done.pop()
    if (!isRecord(point)) {
      if (last !== undefined) done.push(last)
      done.push(convert(item))
    } else if (last !== undefined) {
      done.push({ ...last, cache_control: { type: 'ephemeral', ttl: point.ttl ?? '5m' } })
    }
  }
  return done
}

function toTool({ toolSpec }: JsonRecord): JsonRecord {
  const { name, description, inputSchema } = recordOf(toolSpec)
  return { name, description, input_schema: recordOf(inputSchema).json }
}

function toBlock(item: JsonRecord): JsonRecord {
  if (typeof item.text === 'string') return { type: 'text', text: item.text }
  if (isRecord(item.toolUse)) {
    const { toolUseId, name, input } = item.toolUse
    return { type: 'tool_use', id: toolUseId, name, input }
  }
  if (isRecord(item.toolResult)) {
    const { toolUseId, content, status } = item.toolResult
    const inner = listOf(content).filter(isRecord).map(toResultBlock)
    const error = status === 'error' ? { is_error: true } : {}
    return { type: 'tool_result', tool_use_id: toolUseId, content: inner, ...error }
  }
  if (isRecord(item.reasoningContent)) {
    const { reasoningText, redactedContent } = item.reasoningContent
    if (redactedContent !== undefined) return { type: 'redacted_thinking', data: textOf(redactedContent) }
    const { text, signature } = recordOf(reasoningText)
    return { type: 'thinking', thinking: text, signature }
  }
  if (item.image !== undefined) return { type: 'image', source: item.image }
  return { type: 'document', source: item }
}

function toResultBlock(item: JsonRecord): JsonRecord {
  return item.json === undefined ? toBlock(item) : { type: 'text', text: JSON.stringify(item.json) }
}
