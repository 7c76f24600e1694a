export { arbitraryContent, arbitraryOperation } from './arbitrary-canvas.ts'
export { arbitraryEntries, arbitraryLog } from './arbitrary-log.ts'
export { type BackupHarness, describeBackup } from './backup-suite.ts'
export {
  checkpointMade,
  conversationCreated,
  fileSent,
  inputAdmitted,
  largeResult,
  logOf,
  pathRewound,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  titleChanged,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
  usageRecorded,
  userMessageSent,
  wholeTurn,
} from './entries.ts'
export { describeBlobs } from './entry-store/blob-suite.ts'
export { describeErasure } from './entry-store/erasure-suite.ts'
export { describeMaintenance } from './entry-store/maintenance-suite.ts'
export { describeEntryStore } from './entry-store-suite.ts'
export { describeProjection } from './projection-suite.ts'
export { describeRecords } from './records-suite.ts'
export { describeReplicas } from './replicas-suite.ts'
export { createSeededRandom } from './seeded-random.ts'
export { type SettingTrial, settingTrials } from './setting-trials.ts'
export type { OpenStore, StoreHarness } from './store-harness.ts'
