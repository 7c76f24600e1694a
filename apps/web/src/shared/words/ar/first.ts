import type { DraftTranslation } from '../../language/translation.ts'
import type { first as english } from '../en/first.ts'

/** The Arabic words of an installation that has no conversation yet. */
export const first: DraftTranslation<typeof english> = {
  'first.begin-with': 'للبدء',
  'first.models':
    '{count, plural, zero {لا نماذج} one {نموذج واحد} two {نموذجان} few {# نماذج} many {# نموذجًا} other {# نموذج}}: {names}',
  'first.models-more':
    '{count, plural, zero {لا نماذج} one {نموذج واحد} two {نموذجان} few {# نماذج} many {# نموذجًا} other {# نموذج}}: {names} (+{more, number})',
  'first.in-the-environment': 'مفتاح في البيئة، لا يُحفظ · {models}',
  'first.without-a-model': 'يعمل، لكن ليس فيه نموذج بعد.',
  'first.small-window':
    'نافذته ({tokens, number}) لا تتسع لكل الأدوات: تُرسل الأولى منها. تتسع في Ollama بالمتغير OLLAMA_CONTEXT_LENGTH=32768.',
  'first.no-model-found': 'لم يُعثر على نموذج',
  'first.no-model-yet': 'لا نموذج بعد',
  'first.no-model-says': 'شغّل Ollama أو LM Studio أو llama.cpp أو vLLM على هذا الحاسوب، أو أحضر مفتاحًا.',
  'first.no-server-found': 'لا خادم نماذج على هذا الحاسوب',
  'first.no-server-says':
    'شغّل Ollama أو LM Studio أو llama.cpp أو vLLM ثم ابحث مرة أخرى. ربما كان مشغولًا عند بدء Holdfast.',
  'first.look-again': 'البحث مجددًا',
  'first.looking': 'جارٍ البحث…',
  'first.use': 'استخدام',
  'first.use-name': 'استخدام {name}',
  'first.answers-here': 'يجيب هنا',
  'first.your-project': 'مشروعك',
  'first.your-project-says': 'يقرأ الوكلاء الملفات ويغيّرونها في مجلد تفتحه، ويسألون أولًا.',
  'first.conversations-of': 'محادثات {name}',
  'first.conversations-says':
    '{count, plural, zero {لا سجلات} one {سجل واحد} two {سجلان} few {# سجلات} many {# سجلًا} other {# سجل}}، {size}، أحدثها في {day}، في {folder}. لا يُقرأ شيء قبل أن تضغط.',
  'first.conversations-unread':
    '{count, plural, zero {لا شيء بلا إذن قراءة: {names}} one {واحد لا يُسمح بقراءته، ويُترك: {names}} two {اثنان لا يُسمح بقراءتهما، ويُتركان: {names}} few {# لا يُسمح بقراءتها، وتُترك: {names}} many {# لا يُسمح بقراءتها، وتُترك: {names}} other {# لا يُسمح بقراءتها، وتُترك: {names}}}',
  'first.import': 'استيراد',
  'first.import-of': 'استيراد محادثات {name}',
}
