import type { DraftTranslation } from '../../language/translation.ts'
import type { thread as english } from '../en/thread.ts'

/** The Arabic words of the thread beside its messages: answers, summaries, files, erasure. */
export const thread: DraftTranslation<typeof english> = {
  'answer.stopped-by-you': 'أوقفته أنت',
  'answer.stopped-before-any-reply': 'أُوقف قبل أي رد.',
  'answer.interrupted': 'انقطع',
  'answer.the-server-ended-in-the': 'انتهى الخادم في وسط هذا الرد. النص حتى هنا محفوظ.',
  'answer.the-server-ended-before-any': 'انتهى الخادم قبل أي رد.',
  'answer.limit-reached': 'بُلغ الحد',
  'answer.the-turn-took-as-many': 'أخذ الدور كل الخطوات المسموحة.',
  'answer.raises-the-budget-of-this': 'يرفع ميزانية هذه المحادثة ويرسل الرسالة «Continue.»',
  'answer.add-1-and-go-on': 'إضافة 1$ والمتابعة',
  'answer.go-on': 'متابعة',
  'answer.the-reply-broke-off': 'انقطع الرد',
  'answer.no-reply': 'لا رد',
  'answer.the-stream-ended-before-its': 'انتهى البث قبل نهايته. النص حتى هنا محفوظ.',
  'answer.asks-the-same-again': 'يسأل الشيء نفسه مجددًا؛ وما فشل يوضع جانبًا ويبقى مقروءًا',
  'answer.sends-the-message-continue': 'يرسل الرسالة «Continue.»',
  'answer.technical-details': 'تفاصيل تقنية',
  'answer.copy-details': 'نسخ التفاصيل',
  'answer.the-provider-did-not-accept': 'لم يقبل المزود المفتاح',
  'answer.give-it-a-valid-key': 'أعطه مفتاحًا صالحًا أو استخدم نموذجًا آخر. الرسالة محفوظة.',
  'answer.rate-limited': 'تقييد المعدل',
  'answer.too-many-requests-at-once': 'طلبات كثيرة في وقت واحد. انتظر لحظة ثم أرسل مجددًا.',
  'answer.the-account-has-no-credit': 'لا رصيد في الحساب',
  'answer.add-credit-with-the-provider': 'أضف رصيدًا عند المزود أو استخدم نموذجًا آخر.',
  'answer.the-request-is-too-long': 'الطلب أطول مما يتسع له هذا النموذج',
  'answer.shorten-the-conversation-or-use': 'قصّر المحادثة أو استخدم نموذجًا بنافذة أكبر.',
  'answer.lost-contact-with-the-provider': 'فُقد الاتصال بالمزود',
  'answer.whatever-arrived-is-kept': 'ما قد وصل محفوظ ويذهب مع رسالتك التالية. لم يُنفذ شيء مرتين.',
  'answer.the-provider-is-overloaded': 'المزود مثقل',
  'answer.it-is-not-your-request': 'ليس السبب طلبك. حاول مجددًا بعد حين.',
  'answer.there-is-no-such-model': 'لا يوجد نموذج كهذا',
  'answer.choose-another-model-or-install': 'اختر نموذجًا آخر، أو ثبّت هذا حيث يعمل.',
  'answer.the-model-declined-to-answer': 'امتنع النموذج عن الإجابة',
  'answer.say-it-in-other-words': 'قلها بكلمات أخرى أو اسأل عن شيء آخر.',
  'answer.the-provider-did-not-understand': 'لم يفهم المزود الطلب',
  'answer.this-is-a-defect-of': 'هذا خلل في هذا البرنامج أو في المزود. التفاصيل تعين على الإبلاغ عنه.',
  'answer.something-broke-in-the-program': 'تعطل شيء في البرنامج',
  'answer.the-conversation-is-kept-the': 'المحادثة محفوظة. التفاصيل تعين على الإبلاغ عنه.',
  'answer.stopping': 'جارٍ الإيقاف…',
  'answer.time-until-the-next-try': 'الوقت حتى المحاولة التالية',
  'answer.stop-retrying': 'وقف الإعادة',
  'answer.tokens-kept':
    'حُفظ {about}{count, plural, zero {# رمزًا} one {رمز واحد} two {رمزان} few {# رموز} many {# رمزًا} other {# رمزًا}}',
  'answer.attempt-failed-at': 'فشلت المحاولة {attempt} في {time}: {title}',
  'answer.attempt-failed': 'فشلت المحاولة {attempt}',
  'answer.until-next-try': '<count>{seconds, number} ث</count> حتى المحاولة التالية',
  'answer.nothing-from':
    'لا جواب من {provider} منذ {seconds, number} ث. أوقِف أو انتظر: يُترك الأمر بعد {limit, number} ث.',
  'answer.silent-for':
    'لا مزيد من {provider} منذ {seconds, number} ث. أوقِف أو انتظر: يُترك الأمر بعد {limit, number} ث.',
  'answer.waiting-for-model': 'انتظار النموذج · {seconds, number} ث',
  'answer.the-provider-did-not-confirm': 'لم يؤكد المزود الإيقاف؛ الاستخدام مقدر.',
  'checkpoint.summarise-again': 'تلخيص مجددًا',
  'checkpoint.summary-checkpoint-erased': 'نقطة تلخيص، ممحوة',
  'checkpoint.view': 'عرض',
  'checkpoint.summary-checkpoint': 'نقطة تلخيص',
  'checkpoint.view-less': 'عرض أقل',
  'checkpoint.edit-summary': 'تحرير الملخص',
  'checkpoint.copy-summary': 'نسخ الملخص',
  'checkpoint.requests-hold-again-what-is': 'تحوي الطلبات مجددًا ما في الأعلى بقدر ما يتسع. لا يُحذف شيء.',
  'checkpoint.undo-checkpoint': 'إلغاء نقطة التلخيص',
  'checkpoint.the-summary-may-tell-of': 'قد يذكرها الملخص. ثبّت إحداها لينقلها الملخص التالي حرفًا بحرف.',
  'checkpoint.summary': 'الملخص',
  'checkpoint.save-summary': 'حفظ الملخص',
  'checkpoint.asked-for-by-you': 'بطلب منك',
  'checkpoint.edited-by-you': 'حررته أنت',
  'checkpoint.unused': 'نقطة تلخيص، لم تعد مستخدمة',
  'checkpoint.unused-of':
    'نقطة تلخيص، لم تعد مستخدمة: {count, plural, zero {# رسالة} one {رسالة واحدة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}}',
  'checkpoint.stands': 'تنوب عما فوقها',
  'checkpoint.stands-for':
    'تنوب عما فوقها: {count, plural, zero {# رسالة} one {رسالة واحدة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}}',
  'checkpoint.not-changed': 'لم يُغيَّر: {problem}',
  'checkpoint.not-carried-over': 'لم يُنقل: {count, number} من رسائلك',
  'checkpoint.further-up': 'الرسالة {seq, number}، في الأعلى',
  'checkpoint.automatic': 'تلقائي',
  'checkpoint.summarising': 'تلخيص رسائل أقدم · {seconds, number} ث',
  'files.restore-these': 'استعادة هذه…',
  'files.files-as-they-were-before': 'الملفات كما كانت قبل هذه الرسالة، أيًا كان ما غيّرها منذ ذلك في هذه المحادثة',
  'files.restore-all-since-here': 'استعادة كل شيء منذ هنا…',
  'files.comes-back': 'يعود',
  'files.goes-back': 'يرجع',
  'files.is-deleted': 'يُحذف',
  'files.looking-at-the-files': 'فحص الملفات…',
  'files.no-tool-changed-files-here': 'لم يُغيَّر هنا ملف.',
  'files.stays-a-conflict': 'يبقى: تعارض',
  'files.seen-around-calls':
    'ما غيّرته الأوامر والخوادم عُرف بالنظر إلى المجلد قبلها وبعدها: وفيه كل ما غيّره غيرها في الأثناء.',
  'files.undo': 'تراجع…',
  'files.new': 'جديد',
  'files.changed': 'مُغيَّر',
  'files.deleted': 'محذوف',
  'files.stays': 'يبقى',
  'files.files-changed':
    'تغيّر {count, plural, zero {# ملفًا} one {ملف واحد} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملفًا}}',
  'files.restore-files':
    'استعادة {count, plural, zero {# ملفًا} one {ملف واحد} two {ملفين} few {# ملفات} many {# ملفًا} other {# ملفًا}}',
  'files.restored-of': 'استُعيد {restored, number} من {all, number}.',
  'files.restored':
    'استُعيد {count, plural, zero {# ملفًا} one {ملف واحد} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملفًا}}{left, plural, =0 {} zero {} one {، وتُرك واحد} two {، وتُرك اثنان} few {، وتُرك #} many {، وتُرك #} other {، وتُرك #}}',
  'erasure.erase-asking': 'محو…',
  'erasure.erase-message': 'محو الرسالة',
  'erasure.erase-reply': 'محو الرد',
  'erasure.erase-this-message': 'محو هذه الرسالة؟',
  'erasure.erase-this-reply': 'محو هذا الرد؟',
  'erasure.looking': 'البحث عما يحوي كلماتها…',
  'erasure.not-looked': 'تعذرت قراءة ما سيُمحى: {problem}',
  'erasure.cannot-be-undone': 'لا رجعة في هذا.',
  'erasure.what-goes': 'يذهب نهائيًا:',
  'erasure.messages':
    '{count, plural, zero {# رسالة} one {الرسالة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}}',
  'erasure.waiting':
    '{count, plural, zero {# نسخة في الطابور} one {نسختها في الطابور} two {نسختان في الطابور} few {# نسخ في الطابور} many {# نسخة في الطابور} other {# نسخة في الطابور}}',
  'erasure.replies':
    '{count, plural, zero {# جواب نماذج} one {جواب نموذج} two {جوابا نموذج} few {# أجوبة نماذج} many {# جواب نماذج} other {# جواب نماذج}}',
  'erasure.calls':
    '{count, plural, zero {# نسخة مما طُلب من أدوات} one {نسخة مما طُلب من أداة} two {نسختان مما طُلب من أدوات} few {# نسخ مما طُلب من أدوات} many {# نسخة مما طُلب من أدوات} other {# نسخة مما طُلب من أدوات}}',
  'erasure.results':
    '{count, plural, zero {# نتيجة أدوات} one {نتيجة أداة} two {نتيجتا أداة} few {# نتائج أدوات} many {# نتيجة أدوات} other {# نتيجة أدوات}}',
  'erasure.canvas-changes':
    '{count, plural, zero {# تغييرًا على اللوحة} one {تغيير على اللوحة} two {تغييران على اللوحة} few {# تغييرات على اللوحة} many {# تغييرًا على اللوحة} other {# تغييرًا على اللوحة}}',
  'erasure.notes':
    '{count, plural, zero {# ملاحظة عن اللوحة} one {ملاحظة عن اللوحة} two {ملاحظتان عن اللوحة} few {# ملاحظات عن اللوحة} many {# ملاحظة عن اللوحة} other {# ملاحظة عن اللوحة}}',
  'erasure.summaries':
    '{count, plural, zero {# ملخصًا يشملها} one {ملخص يشملها} two {ملخصان يشملانها} few {# ملخصات تشملها} many {# ملخصًا يشملها} other {# ملخصًا يشملها}}',
  'erasure.without-summary': 'يُرسل ما كان الملخص ينوب عنه مجددًا بقدر ما يتسع.',
  'erasure.titles':
    '{count, plural, zero {# عنوانًا صُنع منها} one {العنوان الذي صُنع منها} two {عنوانان صُنعا منها} few {# عناوين صُنعت منها} many {# عنوانًا صُنع منها} other {# عنوانًا صُنع منها}}',
  'erasure.others':
    '{count, plural, zero {# نسخة أخرى} one {نسخة أخرى} two {نسختان أخريان} few {# نسخ أخرى} many {# نسخة أخرى} other {# نسخة أخرى}}',
  'erasure.files':
    '{count, plural, zero {# ملفًا أو نتيجة طويلة} one {ملف أو نتيجة طويلة} two {ملفان أو نتيجتان طويلتان} few {# ملفات أو نتائج طويلة} many {# ملفًا أو نتيجة طويلة} other {# ملفًا أو نتيجة طويلة}}، إلا ما يُذكر في موضع آخر',
  'erasure.search-and-states': 'موضعها في البحث وفي كل ما هو معد',
  'erasure.reply-stays': 'يبقى الرد: امحه أيضًا إن كان يكرر الكلمات.',
  'erasure.what-stays':
    'يبقى هنا إيصال بلا الكلمات. وتبقى تكلفتها محسوبة؛ ويبقى عنوان وضعته وملفات كتبها الوكلاء. ولا يطال ذلك ما صُنع قبلًا من نسخ احتياطية وتصديرات وتفرعات.',
  'erasure.memories-stay':
    '{count, plural, zero {جاءت من هذه المحادثة # ذكرى وتبقى} one {جاءت من هذه المحادثة ذكرى واحدة وتبقى} two {جاءت من هذه المحادثة ذكريان وتبقيان} few {جاءت من هذه المحادثة # ذكريات وتبقى} many {جاءت من هذه المحادثة # ذكرى وتبقى} other {جاءت من هذه المحادثة # ذكرى وتبقى}}؛ والإعدادات تنسيها.',
  'erasure.reason': 'السبب، يُحفظ مع الإيصال (يجوز فارغًا)',
  'erasure.erase-for-good': 'محو نهائي',
  'erasure.not-erased': 'لم يُمحَ: {problem}',
  'erasure.erased-for-good': 'مُحي نهائيًا',
  'erasure.erased-by-you': 'محوته أنت، {time}',
  'erasure.erased-at': 'مُحي، {time}',
  'checkpoint.before-and-after':
    '{before} → {count, plural, zero {{after} رمز} one {{after} رمز} two {{after} رمز} few {{after} رموز} many {{after} رمزًا} other {{after} رمز}}',
  'checkpoint.before-and-about':
    '{before} → ≈ {count, plural, zero {{after} رمز} one {{after} رمز} two {{after} رمز} few {{after} رموز} many {{after} رمزًا} other {{after} رمز}}',
  'files.changed-meanwhile': 'تغيّر أثناء استدعاء',
  'files.also-what-changed-meanwhile':
    'أيضًا {count, plural, zero {لا ملفات} one {ملف واحد} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملف}} مما تغيّر أثناء استدعاء',
  'erasure.erase-set-aside': 'محو ما نُحّي جانبًا',
  'erasure.erase-this-set-aside': 'أتمحو ما نُحّي جانبًا؟',
}
