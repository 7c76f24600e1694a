/** The Japanese words of parts that are read behind the first script. */
export const seldom = {
  'answer.about-tokens-of': '約 {used} トークンを送ることになりますが、モデルが受け取れるのは {window} です。',
  'answer.choose-a-larger-window': 'より大きなコンテキストを選ぶ',
  'answer.choose-a-model': 'モデルを選ぶ',
  'answer.connect-another': '別のものを接続',
  'answer.copy-the-command-that-installs': '入れるためのコマンドをコピー',
  'answer.send-without-tools': 'ツールなしで送信',
  'answer.summarise': '要約する',
  'settings.back-to-the-conversation': '会話に戻る',
  'settings.no-setting-is-called': '「{words}」という設定はありません。',
  'settings.search-settings': '設定を検索',
  'composer.written-before-an-update': '更新の前に書かれ、送信されていません:',
  'presets.where': 'どこで作業しますか?',
  'tools.lines-before': 'この前に {lines, plural, other {# 行}}、{characters, plural, other {# 文字}}。',
  'tools.lines-after': '… さらに {lines, plural, other {# 行}}、{characters, plural, other {# 文字}}。',
  'tools.part-before': '前の部分を表示',
  'tools.part-after': '次の部分を表示',
  'tools.not-shown':
    'まだすべては表示されていません: {lines, plural, other {# 行}}（{characters, plural, other {# 文字}}）が未表示です。許可はその部分にも及びます。',
  'tools.not-all-shown': 'すべては表示されていないものがあります。それは個別に答えてください。',
  'tools.not-compared': '多くてもこの数です: 同じ行の繰り返しが多すぎるため、行ごとには比較できません。',
} as const
