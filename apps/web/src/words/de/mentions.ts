import type { Translation } from '../../language/translation.ts'
import type { mentions as english } from '../en/mentions.ts'

/** The German words of what `/` and `@` bring into a message. */
export const mentions: Translation<typeof english> = {
  'mentions.prompts': 'Befehle und Prompts der Server',
  'mentions.resources': 'Ressourcen der Server',
  'mentions.reading': 'Die Server werden gefragt …',
  'mentions.no-prompt': 'Kein Prompt passt. MCP-Server bringen sie mit.',
  'mentions.no-resource': 'Keine Ressource passt. MCP-Server bringen sie mit.',
  'mentions.values-of': 'Werte von {name}',
  'mentions.of-server': '{name} · {server}',
  'mentions.insert': 'Einfügen',
  'mentions.attach': 'Anhängen',
  'mentions.along': 'Mitgesendet',
  'mentions.remove': '{name} entfernen',
  'mentions.as-assistant': 'Assistent: {text}',
  'mentions.sent-in-part': '{uri} (nur der Anfang wurde gesendet)',
}
