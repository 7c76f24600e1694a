import type { DraftTranslation } from '../../language/translation.ts'
import type { archive as english } from '../en/archive.ts'

/** The Arabic words of import, export and damage. */
export const archive: DraftTranslation<typeof english> = {
  'archive.what-goes-into-it': 'ما يدخل فيه',
  'archive.with-tools': 'الأدوات ونتائجها',
  'archive.with-thinking': 'التفكير',
  'archive.with-branches': 'الفروع الموضوعة جانبًا',
  'archive.with-usage': 'الرموز والتكاليف',
  'archive.with-attachments': 'المرفقات',
  'archive.with-masks': 'إخفاء المفاتيح وعناوين البريد ومجلدات المنزل',
  'archive.files-cannot-be-masked': 'ليس مع الإخفاء: لا يمكن إخفاء الملفات',
  'archive.json-holds-all': 'يحوي JSON الأربعة الأولى دائمًا. ومع الإخفاء تُترك الملفات: فلا يمكن إخفاؤها.',
  'archive.looking-for-secrets': 'البحث عنها…',
  'archive.secrets-not-counted': 'لم تُعدّ: {problem}',
  'archive.nothing-to-mask': 'لا شيء فيه يشبهها. اقرأه قبل أن تعطيه.',
  'archive.masked-keys':
    '{count, plural, zero {# مفتاحًا} one {مفتاح واحد} two {مفتاحان} few {# مفاتيح} many {# مفتاحًا} other {# مفتاحًا}}',
  'archive.masked-mail':
    '{count, plural, zero {# عنوان بريد} one {عنوان بريد واحد} two {عنوانا بريد} few {# عناوين بريد} many {# عنوان بريد} other {# عنوان بريد}}',
  'archive.masked-folders':
    '{count, plural, zero {# مجلد منزل} one {مجلد منزل واحد} two {مجلدا منزل} few {# مجلدات منزل} many {# مجلد منزل} other {# مجلد منزل}}',
  'archive.masked': 'أُخفي بالشكل: {found}. اقرأه قبل أن تعطيه.',
  'archive.logs-of-claude-code-codex':
    'سجلات Claude Code وCodex وpi وCopilot وGemini CLI وopencode وaider؛ وتصديرات ChatGPT وLibreChat وOpen WebUI وChatbot UI وHoldfast؛ وأرشيفات zip منها. الملف نفسه مجددًا يجلب الجديد فقط.',
  'archive.files-to-import': 'الملفات المراد استيرادها',
  'archive.sending': 'جارٍ الإرسال',
  'archive.the-import-failed': 'فشل الاستيراد',
  'archive.no-conversation-in-it': 'لا محادثة فيه',
  'archive.cancel-name': 'إلغاء {name}',
  'archive.open': 'فتح',
  'archive.open-first-of': 'فتح الأولى من {name}',
  'archive.left-out': 'تُركت: {reasons}',
  'archive.line': 'السطر {line, number}',
  'archive.reading':
    'القراءة، {count, plural, zero {# محادثة} one {محادثة واحدة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}',
  'archive.cancelled-after':
    'أُلغي؛ وتبقى {count, plural, zero {# محادثة} one {محادثة واحدة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}',
  'archive.imported':
    'استُوردت {count, plural, zero {# محادثة} one {محادثة واحدة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}',
  'archive.updated': '{count, number} حُدّثت',
  'archive.already-here': '{count, number} موجودة بالفعل',
  'archive.unchanged': '{count, number} تُركت كما هي',
  'archive.skipped': '{count, number} × {reason}',
  'damage.this-conversation-is-damaged': 'هذه المحادثة تالفة',
  'damage.looking': 'النظر فيما يمكن قراءته…',
  'damage.not-looked': 'لا يُعرف ما يمكن قراءته: {problem}',
  'damage.readable':
    'لا يزال يُقرأ منها {readable, plural, zero {# سجلًا} one {سجل واحد} two {سجلان} few {# سجلات} many {# سجلًا} other {# سجلًا}}.',
  'damage.readable-of':
    'لا يزال يُقرأ {readable, number} من {count, plural, zero {# سجلًا} one {سجل واحد} two {سجلين} few {# سجلات} many {# سجلًا} other {# سجلًا}} فيها.',
  'damage.from-entry': 'يبدأ التلف عند السجل {seq, number}.',
  'damage.what-the-store-says': 'ما يقوله المخزن',
  'damage.what-to-do':
    'احفظ الآن ما يمكن قراءته. ويعيد نسخ احتياطي الباقي: holdfast restore. ولا تُمس المحادثات الأخرى.',
  'damage.save-as': 'حفظ بصيغة {format}',
}
