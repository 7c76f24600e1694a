import type { DraftTranslation } from '../../language/translation.ts'
import type { memories as english } from '../en/memories.ts'

/** The Arabic words of memories. */
export const memories: DraftTranslation<typeof english> = {
  'memories.reading-the-memories': 'قراءة الذكريات…',
  'memories.memories': 'الذكريات',
  'memories.what-agents-keep-of-you':
    'ما يحفظه الوكلاء عنك بعد المحادثة. لا يراه إلا أنت. ويُخبَر الوكيل بما هو لكل وكيل وبما هو له؛ ويمكنك إيقاف ذلك لمحادثة واحدة في مفتشها.',
  'memories.agents-are-told-these-and': 'يُخبَر بها الوكلاء ويجوز أن يضيفوا إليها',
  'memories.search-memories': 'البحث في الذكريات',
  'memories.export': 'تصدير',
  'memories.import-a-file': 'استيراد ملف',
  'memories.forget-all': 'نسيان الكل',
  'memories.remember-this': 'تذكر هذا',
  'memories.nothing-is-remembered-yet-tell': 'لا شيء يُتذكر بعد. اطلب من وكيل أن يتذكر شيئًا أو اكتبه هنا.',
  'memories.forget': 'نسيان',
  'memories.forget-for-good': 'نسيان نهائي',
  'memories.where-it-came-from': 'من أين جاءت',
  'memories.memory': 'الذكرى',
  'memories.use-memories-in-this-conversation': 'استخدام الذكريات في هذه المحادثة وحفظ جديدة',
  'memories.this-file-holds-no-memories': 'لا ذكريات في هذا الملف: يلزمه JSON كما يكتبه «تصدير».',
  'memories.forget-all-for-good': 'نسيان الكل ({count, number}) نهائيًا',
  'memories.found-of': 'وُجد {found, number} من {all, number}',
  'memories.of-at-most': '{count, number} من {most, number} على الأكثر',
  'memories.pinned': 'مثبتة',
  'memories.only-for': 'فقط لـ {agent}',
  'memories.written-by-you': 'كتبتها أنت',
  'memories.left-out': 'تُركت {count, number}: {reason}',
  'memories.added': 'أُضيف {added, number}، و{known, number} معروفة من قبل',
}
