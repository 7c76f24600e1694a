import type { ExportChoices } from '@holdfast/client'

/** What is chosen where nobody has chosen yet: what is given away is masked. */
export const FIRST_CHOICES: ExportChoices = {
  tools: true,
  thinking: false,
  setAside: false,
  usage: false,
  attachments: true,
  redact: true,
}
