/** The Arabic words of agents that are programs of their own. */
export const external = {
  'external.lead':
    'برامج تجيب عن المحادثات بنفسها عبر Agent Client Protocol. إذا كان أحدها مثبتًا على هذا الخادم أمكن اختياره كأي وكيل. لا يُثبَّت شيء ولا يُشغَّل قبل أن تطلبه.',
  'external.add-an-agent': 'إضافة وكيل',
  'external.edit-an-agent': 'تعديل وكيل',
  'external.not-read': 'تعذرت قراءة الوكلاء الخارجيين. {problem}',
  'external.name': 'الاسم',
  'external.command': 'الأمر',
  'external.command-note':
    'برنامج على PATH أو مساره الكامل، ومعه معاملاته. لا تُستخدم صدفة؛ علامات الاقتباس تجمع الكلمات.',
  'external.a-quote-is-open': 'ليس هذا أمرًا بعد: علامة اقتباس أو شرطة مائلة خلفية لم تُغلق.',
  'external.variables': 'المتغيرات',
  'external.more-variables': 'متغيرات تُضاف أو تُستبدل',
  'external.variables-note': 'واحد في كل سطر بصيغة NAME=value. تُحفظ القيم مشفرة على هذا الخادم ولا تُعرض مرة أخرى.',
  'external.bad-line': 'السطر {line} ليس بصيغة NAME=value.',
  'external.runs-with-all-rights':
    'يعمل بكل صلاحيات الحساب الذي يشغّل Holdfast، خارج الصندوق المعزول. لا تضف إلا ما تثق به.',
  'external.name-is-saved': 'حُفظ {name}.',
  'external.name-is-removed': 'أُزيل {name}. يبقى ما قيل معه.',
  'external.test': 'اختبار',
  'external.test-name': 'اختبار {name}',
  'external.edit-name': 'تعديل {name}',
  'external.remove-asking': 'إزالة…',
  'external.remove-name': 'إزالة {name}',
  'external.really-remove-name': 'إزالة {name} فعلًا',
  'external.to-install': 'لتثبيته:',
  'external.copy-the-command': 'نسخ الأمر',
  'external.is-started': 'يُشغَّل {name} ثم يُنهى. لا يُسأل أي نموذج.',
  'external.works': 'يعمل: الإصدار {version}، البروتوكول {protocol}، جاهز خلال {time}.',
  'external.held-in': 'أوضاعه: {modes}. تُبقى المحادثات في الوضع {mode} الذي يسأل قبل أن يفعل.',
  'external.no-mode-that-asks': 'ليس له وضع معروف بأنه يسأل: يقرر بنفسه ما يسأل عنه.',
  'external.ways-to-sign-in':
    '{count, plural, zero {لا طرق لتسجيل الدخول} one {طريقة واحدة لتسجيل الدخول} two {طريقتان لتسجيل الدخول} few {# طرق لتسجيل الدخول} many {# طريقة لتسجيل الدخول} other {# طريقة لتسجيل الدخول}}',
  'external.sign-in-on-the-server':
    'إذا أراد {name} تسجيل الدخول فافعل ذلك في طرفية على هذا الخادم، بالحساب الذي يشغّل Holdfast.',
  'external.installed': 'مثبت',
  'external.not-installed': 'غير مثبت',
  'external.from-the-file': 'من ملف الإعدادات',
  'external.added-here': 'أُضيف هنا',
  'external.protocol': 'البروتوكول {version}',
  'external.could-not-be-started': 'تعذر تشغيل {name}',
  'external.test-it-in-the-settings':
    'برنامجه غير موجود على الخادم أو لم يبدأ الكلام. اختبره في الإعدادات ثم حاول مرة أخرى.',
  'external.wants-a-sign-in': 'يريد {name} تسجيل الدخول',
  'external.sign-in-to-it': 'سجّل الدخول إليه في طرفية على الخادم، بالحساب الذي يشغّل Holdfast. ثم حاول مرة أخرى.',
  'external.did-not-go-on': 'لم يواصل {name}',
  'external.what-it-said-is-kept':
    'ما قاله محفوظ. المحاولة من جديد تشغّله مرة أخرى وتخبره بهذه المحادثة؛ انظر أولًا في ما قد فعله.',
  'external.open-settings': 'فتح إعداداته',
  'external.keeps-its-own-context':
    'لـ{name} ذاكرته ويسأل نموذجه. ما يرسله إليه لا يُرى هنا؛ وفي الأسفل ما ذكره عن استخدامه.',
} as const
