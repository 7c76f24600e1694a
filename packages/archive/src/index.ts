export { exportHtml } from './export/export-html.ts'
export { type ExportedBlob, type ExportSource, exportJson } from './export/export-json.ts'
export { exportMarkdown } from './export/export-markdown.ts'
export type { ExportOptions } from './export/export-options.ts'
export type { ReadersSource } from './export/exported-conversation.ts'
export { createSecretMask, type SecretCounts, type SecretMask } from './export/mask-secrets.ts'
export { type MissingEntries, type MissingWatch, watchMissing } from './export/missing-entries.ts'
export { importArchive } from './import/import-archive.ts'
export {
  IMPORT_LIMITS,
  type ImportEvent,
  type ImportFilter,
  type ImportLimits,
  type ImportOptions,
  type ImportReport,
  type KnownConversation,
} from './import/import-event.ts'
export type { Skip, SkipReason } from './import/skip.ts'
export type { ArchiveBlobs } from './log/archive-blobs.ts'
