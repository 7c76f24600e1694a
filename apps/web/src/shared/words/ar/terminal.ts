import type { DraftTranslation } from '../../language/translation.ts'
import type { terminal as english } from '../en/terminal.ts'

/** The Arabic words of terminals. */
export const terminal: DraftTranslation<typeof english> = {
  'terminal.screen': 'الطرفية. المفتاح F6 يخرج منها.',
  'terminal.asking': 'جارٍ السؤال…',
  'terminal.yours': 'لك',
  'terminal.yours-line': 'لا يراها أي وكيل ولا يستخدمها. تعمل خارج العزل، بكل صلاحيات الخادم.',
  'terminal.open': 'فتح طرفية',
  'terminal.number': 'الطرفية {number, number}',
  'terminal.quote': 'اقتباس التحديد',
  'terminal.end': 'إنهاء',
  'terminal.really-end': 'إنهاؤها مع كل ما يعمل فيها',
  'terminal.end-name': 'إنهاء {line}',
  'terminal.ended': 'انتهت هذه الطرفية.',
  'terminal.ended-with': 'انتهت هذه الطرفية برمز الخروج {code, number}.',
  'terminal.put-away': 'إبعاد',
  'terminal.not-allowed': 'الطرفيات للمشرفين: فهي تعمل خارج العزل.',
  'terminal.no-folder': 'تبدأ الطرفية في مجلد المحادثة. اختر مجلدًا أولًا.',
  'terminal.none-here': 'ليس في هذا الخادم طرفيات.',
  'terminal.processes': 'عمليات الوكيل في الخلفية',
  'terminal.processes-line': 'ما تركه الوكيل يعمل. ينتهي مع المحادثة.',
  'terminal.runs': 'تعمل، {seconds, number} ث',
  'terminal.is-over': 'انتهت',
  'terminal.nothing-printed': 'لم تطبع شيئًا بعد.',
}
