import type { DraftTranslation } from '../../language/translation.ts'
import type { memories as english } from '../en/memories.ts'

/** The Japanese words of memories. */
export const memories: DraftTranslation<typeof english> = {
  'memories.reading-the-memories': '記憶を読み込み中…',
  'memories.memories': '記憶',
  'memories.what-agents-keep-of-you':
    '会話を越えてエージェントがあなたについて覚えていること。見えるのはあなただけです。エージェントには全員向けのものと自分のものが伝わります。会話ごとにインスペクターでオフにできます。',
  'memories.agents-are-told-these-and': 'エージェントに伝わり、追加もできます',
  'memories.search-memories': '記憶を検索',
  'memories.export': 'エクスポート',
  'memories.import-a-file': 'ファイルをインポート',
  'memories.forget-all': 'すべて忘れる',
  'memories.remember-this': 'これを覚える',
  'memories.nothing-is-remembered-yet-tell':
    'まだ何も覚えていません。エージェントに覚えるよう頼むか、ここに書いてください。',
  'memories.forget': '忘れる',
  'memories.forget-for-good': '完全に忘れる',
  'memories.where-it-came-from': 'どこから来たか',
  'memories.memory': '記憶',
  'memories.use-memories-in-this-conversation': 'この会話で記憶を使い、新しく保存する',
  'memories.this-file-holds-no-memories':
    'このファイルに記憶はありません。「エクスポート」が書く形の JSON が必要です。',
  'memories.forget-all-for-good': '{count, number} 件すべてを完全に忘れる',
  'memories.found-of': '{all, number} 件中 {found, number} 件',
  'memories.of-at-most': '最大 {most, number} 件中 {count, number} 件',
  'memories.pinned': 'ピン留め',
  'memories.only-for': '{agent} のみ',
  'memories.written-by-you': 'あなたが書いたもの',
  'memories.left-out': '{count, number} 件を除外: {reason}',
  'memories.added': '{added, number} 件を追加、{known, number} 件は既知',
}
