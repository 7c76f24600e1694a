import type { CommandFrame } from '@holdfast/protocol'

/** The fields of each command about a conversation, by its name. */
export const commandFields: Readonly<Record<Exclude<CommandFrame['name'], 'create-conversation'>, object>> = {
  'send-message': { content: [{ type: 'text', text: 'hello' }] },
  'stop-run': {},
  'change-input': { inputId: 'input_x', position: 0 },
  'remove-input': { inputId: 'input_x' },
  'send-input-now': { inputId: 'input_x' },
  'hold-queue': {},
  'release-queue': {},
  'answer-permission': { requestId: 'permission_x', decision: 'allow' },
  'answer-question': { questionId: 'question_x', action: 'decline' },
  'change-settings': { settings: { permissionMode: 'bypass' } },
  'revoke-rule': { ruleId: 'rule_x' },
  'add-rule': { rule: { effect: 'deny', tool: 'look' } },
  'switch-auto-fix': { isOn: true, previewId: 'preview_1' },
  'pin-message': { messageSeq: 1, isPinned: true },
  'exclude-result': { resultSeq: 1, isExcluded: true },
  'edit-checkpoint': { checkpointSeq: 1, summary: 'x' },
  'undo-checkpoint': { checkpointSeq: 1 },
  rewind: { toSeq: 0, reason: 'rewind' },
  'select-path': { head: 1 },
  fork: { atSeq: 1 },
  reset: {},
  'change-conversation': { title: 'taken' },
  'change-canvas': { elementId: 'canvas', action: 'clear' },
}
