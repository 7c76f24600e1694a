/** The Arabic words of parts that are read behind the first script. */
export const seldom = {
  'answer.about-tokens-of': 'سيُرسل نحو {used} رمزًا؛ ويتسع النموذج لـ {window}.',
  'answer.choose-a-larger-window': 'اختيار نافذة أكبر',
  'answer.choose-a-model': 'اختيار نموذج',
  'answer.connect-another': 'وصل آخر',
  'answer.copy-the-command-that-installs': 'نسخ الأمر الذي يثبته',
  'answer.send-without-tools': 'إرسال دون أدوات',
  'answer.summarise': 'تلخيص',
  'settings.back-to-the-conversation': 'العودة إلى المحادثة',
  'settings.no-setting-is-called': 'لا إعداد اسمه «{words}».',
  'settings.search-settings': 'البحث في الإعدادات',
  'composer.written-before-an-update': 'كُتب قبل تحديث ولم يُرسل:',
  'presets.where': 'أين يعمل؟',
  'tools.lines-before':
    'قبل هذا: {lines, plural, zero {لا أسطر} one {سطر واحد} two {سطران} few {# أسطر} many {# سطرًا} other {# سطر}}، {characters, plural, zero {لا أحرف} one {حرف واحد} two {حرفان} few {# أحرف} many {# حرفًا} other {# حرف}}.',
  'tools.lines-after':
    '… بقي: {lines, plural, zero {لا أسطر} one {سطر واحد} two {سطران} few {# أسطر} many {# سطرًا} other {# سطر}}، {characters, plural, zero {لا أحرف} one {حرف واحد} two {حرفان} few {# أحرف} many {# حرفًا} other {# حرف}}.',
  'tools.part-before': 'إظهار الجزء السابق',
  'tools.part-after': 'إظهار الجزء التالي',
  'tools.not-shown':
    'لم يُعرض عليك كل شيء. الناقص: {lines, plural, zero {لا أسطر} one {سطر واحد} two {سطران} few {# أسطر} many {# سطرًا} other {# سطر}} ({characters, plural, zero {لا أحرف} one {حرف واحد} two {حرفان} few {# أحرف} many {# حرفًا} other {# حرف}}). والسماح يسري عليها أيضًا.',
  'tools.not-all-shown': 'أحدها لم يُعرض كله، ويُجاب عنه وحده.',
  'tools.not-compared': 'هذا أقصى عدد: في النصين تكرار كثير لا يتيح مقارنتهما سطرًا سطرًا.',
  'tools.outside-of-its-folder': 'خارج مجلد الوكيل.',
  'tools.belongs-to-git': 'هذا يخص git، وقد ينفّذ ما يوجد فيه.',
} as const
