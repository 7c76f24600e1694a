/** Lines of a session log of Claude Code: messages of a person and answers, in turn. `more` makes each answer longer. */
export function* claudeLines(sessionId: string, messageCount: number, more: string): Generator<string> {
  for (let index = 0; index < messageCount; index++) {
    const isPerson = index % 2 === 0
    const at = new Date(Date.UTC(2026, 1, 2) + index * 1_000).toISOString()
    const content = [{ type: 'text', text: `Answer ${index} of ${sessionId}${more}` }]
    yield `${JSON.stringify({
      sessionId,
      uuid: `${sessionId}_${index}`,
      parentUuid: index === 0 ? null : `${sessionId}_${index - 1}`,
      type: isPerson ? 'user' : 'assistant',
      timestamp: at,
      message: isPerson
        ? { role: 'user', content: `Question ${index} of ${sessionId}` }
        : {
            role: 'assistant',
            id: `message_${index}`,
            model: 'claude',
            content,
            usage: { input_tokens: 10, output_tokens: 5 },
          },
    })}\n`
  }
}

/** The whole of such a log. */
export function claudeText(sessionId: string, messageCount: number): string {
  return [...claudeLines(sessionId, messageCount, '')].join('')
}
