import type { DraftTranslation } from '../../language/translation.ts'
import type { administration as english } from '../en/administration.ts'

/** The Arabic words of the administration. */
export const administration: DraftTranslation<typeof english> = {
  'administration.lead':
    'الناس وما سُمح به وحال الخوادم. ما يكتبه الناس لا يظهر هنا. وحدود الجميع تحت «الحدود والافتراضيات».',
  'administration.reading': 'جارٍ القراءة…',
  'administration.as-of': 'المعروض كما كان في {time}.',
  'administration.without-accounts':
    'لا أحد ليُدار: بلا حسابات يفعل كل شيء من لديه رابط الطرفية. ابدأ بالخيار --auth accounts لتكون حسابات.',
  'administration.only-administrators': 'هذه الصفحة للمديرين وحدهم.',
  'administration.only-you': 'لا حساب هنا لغيرك.',
  'administration.seen': 'شوهد {time}',
  'administration.not-signed-in': 'غير مسجل الدخول',
  'administration.kept': 'محفوظ {size}',
  'administration.spent': '{today} اليوم، {month} هذا الشهر',
  'administration.sessions':
    '{count, plural, zero {لا جلسات} one {جلسة واحدة} two {جلستان} few {# جلسات} many {# جلسة} other {# جلسة}}',
  'administration.of-name': 'لـ {name}',
  'administration.audit': 'التدقيق',
  'administration.audit-lead':
    'من أجاب عن أي طلب إذن: المحادثات بأحدث رسائلها، وفي كل منها أحدث جواب أولًا. وما كان في محادثات محذوفة ذهب.',
  'administration.nothing-asked': 'لم يُسأل أحد إذنًا بعد.',
  'administration.nothing-so-far': 'لا شيء حتى هنا؛ وهناك محادثات أقدم.',
  'administration.damaged-logs': 'هذه المحادثات تالفة ولم يمكن قراءتها: {ids}',
  'administration.look-further-back': 'البحث أبعد',
  'administration.allowed': 'سُمح',
  'administration.denied': 'رُفض',
  'administration.called-off': 'أُلغي',
  'administration.by-name': 'من {name}',
  'administration.by-the-mode': 'بوضع الأذون',
  'administration.by-a-rule': 'بقاعدة',
  'administration.by-a-stop': 'بإيقاف',
  'administration.after-a-crash': 'بعد انهيار',
  'administration.nobody-was-there': 'إذ لم يكن أحد هناك',
  'administration.for-the-call': 'لهذا الاستدعاء',
  'administration.for-the-conversation': 'للمحادثة',
  'administration.for-a-pattern': 'لما يشمله نمط',
  'administration.for-a-category': 'لفئة من الأدوات',
  'administration.for-always': 'دائمًا',
  'administration.conversation-of': 'محادثة {name}',
  'administration.unknown-tool': 'أداة غير معروفة',
  'administration.health': 'حال هذا الخادم',
  'administration.store': 'المخزن',
  'administration.sqlite': 'SQLite',
  'administration.postgresql': 'PostgreSQL',
  'administration.write-ahead': 'ملف الكتابة المسبقة',
  'administration.event-loop': 'حلقة الأحداث',
  'administration.late-by': 'متأخرة {mean, number} ms في المتوسط، و{most, number} ms على الأكثر',
  'administration.answered-now': 'يُجاب الآن',
  'administration.waiting-for-a-person': 'في انتظار شخص',
  'administration.conversations':
    '{count, plural, zero {لا محادثات} one {محادثة واحدة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}',
  'administration.in-queues': 'في الطوابير',
  'administration.messages-of-newest':
    '{count, plural, zero {لا رسائل} one {رسالة واحدة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}} في أحدث {newest, number} محادثة لكل شخص',
  'administration.open-sockets': 'اتصالات مفتوحة',
  'administration.memory': 'الذاكرة',
  'administration.up-for': 'يعمل منذ',
  'administration.servers': 'الخوادم',
  'administration.one-server': 'خادم واحد، ومخزنه له وحده.',
  'administration.at-work': 'يعمل',
  'administration.draining': 'يفرغ: لا يبدأ شيئًا',
  'administration.gone': 'ذهب',
  'administration.this-one': 'هذا',
  'administration.since': 'منذ {time}',
  'administration.last-beat': 'آخر نبضة {time}',
  'administration.works-on':
    '{count, plural, =0 {لا يعمل على محادثات} zero {لا يعمل على محادثات} one {يعمل على محادثة واحدة} two {يعمل على محادثتين} few {يعمل على # محادثات} many {يعمل على # محادثة} other {يعمل على # محادثة}}',
  'administration.and-more':
    '{count, plural, zero {ولا غيرها} one {وواحدة أخرى} two {واثنتان أخريان} few {و# أخرى} many {و# أخرى} other {و# أخرى}}',
}
