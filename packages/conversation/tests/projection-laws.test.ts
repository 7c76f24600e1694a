import {
  activePath,
  archived,
  canvases,
  exclusions,
  ledger,
  listing,
  notices,
  overview,
  pendingPermissions,
  permissionRules,
  pins,
  queue,
  runState,
  settingLayers,
  title,
  toolDefinitions,
  toolMetrics,
  transcript,
} from '@holdfast/conversation'
import { describeProjection } from '@holdfast/conversation/testing'

describeProjection(activePath)
describeProjection(archived)
describeProjection(canvases)
describeProjection(exclusions)
describeProjection(ledger)
describeProjection(listing)
describeProjection(notices)
describeProjection(overview)
describeProjection(pendingPermissions)
describeProjection(permissionRules)
describeProjection(pins)
describeProjection(queue)
describeProjection(runState)
describeProjection(settingLayers)
describeProjection(title)
describeProjection(toolDefinitions)
describeProjection(toolMetrics)
describeProjection(transcript)
