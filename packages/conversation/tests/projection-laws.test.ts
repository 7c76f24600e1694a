import {
  activePath,
  ledger,
  listing,
  notices,
  overview,
  pendingPermissions,
  queue,
  runState,
  settings,
  title,
  toolMetrics,
  transcript,
} from '@holdfast/conversation'
import { describeProjection } from '@holdfast/conversation/testing'

describeProjection(activePath)
describeProjection(ledger)
describeProjection(listing)
describeProjection(notices)
describeProjection(overview)
describeProjection(pendingPermissions)
describeProjection(queue)
describeProjection(runState)
describeProjection(settings)
describeProjection(title)
describeProjection(toolMetrics)
describeProjection(transcript)
