import type { DraftTranslation } from '../../language/translation.ts'
import type { notify as english } from '../en/notify.ts'

/** The Arabic words of what is told to who does not look. */
export const notify: DraftTranslation<typeof english> = {
  'notify.notifications': 'الإشعارات',
  'notify.also': 'إشعارات إخبار انتهاء انتظار متصفح',
  'notify.needs-you': 'تحتاج إليك',
  'notify.is-done': 'انتهت',
  'notify.has-failed': 'فشلت',
  'notify.while-you-were-away': 'حدث شيء هنا وأنت غائب. يستطيع المتصفح إخبارك حين تحتاج إليك محادثة أو تنتهي.',
  'notify.tell-me': 'أخبرني',
  'notify.not-now': 'ليس الآن',
  'notify.tell-me-while': 'أخبرني بما يحدث وأنا أنظر إلى غير هذا',
  'notify.the-browser-asks': 'يسألك المتصفح أولًا. يعرض عنوان المحادثة بلا صوت، ولا يعرض شيئًا وأنت تنظر إلى هذه الصفحة.',
  'notify.the-browser-allows-none': 'لا يسمح المتصفح بأي منها: اسمح بإشعارات هذا العنوان في إعداداته.',
  'notify.cannot': 'يلزم خط موثوق: هذا الحاسوب نفسه أو https.',
  'notify.of-needs-you': 'محادثة تحتاج إليك',
  'notify.of-needs-you-why': 'تنتظر إذنًا أو جوابًا.',
  'notify.of-finished': 'انتهى دور',
  'notify.of-finished-why': 'استغرق أكثر من 20 ثانية.',
  'notify.of-failed': 'فشل دور',
  'notify.of-failed-why': 'أو أُنهي الخادم في أثنائه.',
  'notify.always': 'عنوان اللسان وأيقونته يخبران دائمًا.',
}
