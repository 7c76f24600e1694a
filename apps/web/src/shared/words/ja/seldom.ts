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
} as const
