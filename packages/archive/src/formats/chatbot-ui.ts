import { isRecord } from './fields.ts'
import type { DocumentFormat } from './format-reader.ts'
import { openaiMessages } from './openai-messages.ts'

/** Exports of Chatbot UI: a history of conversations, each a list of chat messages. */
export const chatbotUi: DocumentFormat = {
  name: 'chatbot-ui',
  recognizes: (document) =>
    isRecord(document) && Array.isArray(document.history) && document.history.some(openaiMessages.recognizes),
  *conversations(document, note) {
    if (!isRecord(document) || !Array.isArray(document.history)) return
    for (const conversation of document.history) {
      if (openaiMessages.recognizes(conversation)) yield* openaiMessages.conversations(conversation, note)
      else note({ reason: 'malformed', what: 'A conversation of Chatbot UI' })
    }
  },
}
