/** Lines of a session log of Claude Code: messages of a person and answers, in turn. */
export function claudeLog(sessionId: string, messageCount: number): string {
  return Array.from({ length: messageCount }, (_, index) => JSON.stringify(claudeRecord(sessionId, index))).join('\n')
}

/** What message `index` of such a log says. */
function wordsOf(index: number): string {
  return `${index % 2 === 0 ? 'Question' : 'Answer'} ${index}`
}

function claudeRecord(sessionId: string, index: number): object {
  const isPerson = index % 2 === 0
  return {
    sessionId,
    uuid: `${sessionId}_${index}`,
    parentUuid: index === 0 ? null : `${sessionId}_${index - 1}`,
    type: isPerson ? 'user' : 'assistant',
    timestamp: new Date(Date.UTC(2026, 1, 2, 0, 0, index)).toISOString(),
    message: isPerson
      ? { role: 'user', content: wordsOf(index) }
      : {
          role: 'assistant',
          id: `message_${index}`,
          model: 'claude',
          content: [{ type: 'text', text: wordsOf(index) }],
          usage: { input_tokens: 10, output_tokens: 5 },
        },
  }
}
