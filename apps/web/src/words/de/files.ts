import type { Translation } from '../../language/translation.ts'
import type { files as english } from '../en/files.ts'

/** The German words of changed files. */
export const files: Translation<typeof english> = {
  'files.restore-these': 'Diese wiederherstellen …',
  'files.files-as-they-were-before':
    'Dateien, wie sie vor dieser Nachricht waren, was auch immer sie seither in dieser Unterhaltung geändert hat',
  'files.restore-all-since-here': 'Alles seit hier wiederherstellen …',
  'files.comes-back': 'kommt zurück',
  'files.goes-back': 'geht zurück',
  'files.is-deleted': 'wird gelöscht',
  'files.looking-at-the-files': 'Die Dateien werden angesehen …',
  'files.no-tool-changed-files-here': 'Hier wurden keine Dateien geändert.',
  'files.stays-a-conflict': 'bleibt: ein Konflikt',
  'files.seen-around-calls':
    'Was Befehle und Server geändert haben, zeigt ein Blick in den Ordner davor und danach: Was sonst jemand in der Zeit geändert hat, ist auch dabei.',
  'files.undo': 'Rückgängig …',
  'files.new': 'neu',
  'files.changed': 'geändert',
  'files.deleted': 'gelöscht',
  'files.stays': 'bleibt',
  'files.files-changed': '{count, plural, one {# Datei} other {# Dateien}} geändert',
  'files.restore-files': '{count, plural, one {# Datei} other {# Dateien}} wiederherstellen',
  'files.restored-of': '{restored, number} von {all, number} wiederhergestellt.',
  'files.restored':
    '{count, plural, one {# Datei} other {# Dateien}} wiederhergestellt{left, plural, =0 {} one {, # belassen} other {, # belassen}}',
}
