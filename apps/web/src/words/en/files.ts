/** The English words of changed files. */
export const files = {
  'files.restore-these': 'Restore these…',
  'files.files-as-they-were-before':
    'Files as they were before this message, whatever changed them since in this conversation',
  'files.restore-all-since-here': 'Restore all since here…',
  'files.comes-back': 'comes back',
  'files.goes-back': 'goes back',
  'files.is-deleted': 'is deleted',
  'files.looking-at-the-files': 'Looking at the files…',
  'files.no-tool-changed-files-here': 'No files were changed here.',
  'files.stays-a-conflict': 'stays: a conflict',
  'files.seen-around-calls':
    'What commands and servers changed was seen by looking at the folder before and after them: whatever else changed it meanwhile is among it.',
  'files.undo': 'Undo…',
  'files.new': 'new',
  'files.changed': 'changed',
  'files.deleted': 'deleted',
  'files.stays': 'stays',
  'files.files-changed': '{count, plural, one {# file} other {# files}} changed',
  'files.restore-files': 'Restore {count, plural, one {# file} other {# files}}',
  'files.restored-of': 'Restored {restored, number} of {all, number}.',
  'files.restored':
    '{count, plural, one {# file} other {# files}} restored{left, plural, =0 {} one {, # left alone} other {, # left alone}}',
} as const
