import type { Translation } from '../../language/translation.ts'
import type { presets as english } from '../en/presets.ts'

/** The Japanese words of presets. */
export const presets: Translation<typeof english> = {
  'presets.page': 'プリセット',
  'presets.also': 'プリセット コード 設定 開始',
  'presets.preset': 'プリセット',
  'presets.none': 'プリセットなし',
  'presets.none-line': 'プリセットなし – エージェントと設定のとおり',
  'presets.lead':
    '会話の開始時に使う、名前の付いた設定です。会話は開始時の設定を保ちます。ここでの変更は新しい会話に適用されます。',
  'presets.reading': 'プリセットを読み込んでいます…',
  'presets.not-read': 'プリセットを読み込めませんでした: {problem}',
  'presets.code': 'コード',
  'presets.code-says':
    'プロジェクトの作業用。モデルが対応していれば長く考え、リポジトリの構成を知らされ、確認なしでファイルを編集し、ワークツリーで作業するか尋ねます。',
  'presets.code-small': 'コード（小）',
  'presets.code-small-says':
    '小さなモデルと予算向け。考える時間はなく、短いマップと少ないツールを使い、早めに要約します。',
  'presets.vibe': 'バイブ',
  'presets.vibe-says':
    'コードを読まずに作るため。平易な言葉で話し、確認なしでファイルを編集し、サンドボックス内のコマンドを実行します。',
  'presets.works-in-place': 'フォルダーで作業',
  'presets.works-in-a-worktree': '専用のワークツリーで作業',
  'presets.works-where-asked': '作業場所を尋ねる',
  'presets.tools': 'ツール: {count}',
  'presets.sets': '{name}: {value}',
  'presets.own-instructions': '独自の指示',
  'presets.no-sandbox': 'このサーバーにはサンドボックスがありません。コマンドは確認します。',
  'presets.new': '新しいプリセット',
  'presets.edit-name': 'プリセット {name} を編集',
  'presets.copy-name': 'プリセット {name} をコピー',
  'presets.copy': 'コピー',
  'presets.copy-of': '{name} のコピー',
  'presets.delete-name': 'プリセット {name} を削除',
  'presets.delete': '削除',
  'presets.as-it-came': '元に戻す',
  'presets.as-it-came-name': 'プリセット {name} を元に戻す',
  'presets.is-deleted': '{name} を削除しました',
  'presets.is-as-it-came': '{name} を付属時の状態に戻しました',
  'presets.what-it-is-for': '用途',
  'presets.place': '作業場所',
  'presets.place-usual': '通常どおり',
  'presets.place-asked': '毎回尋ねる',
  'presets.limits': '制限',
  'presets.limits-lead': 'これで始める会話で、インストールの制限に優先するものです。',
  'presets.in-the-folder': 'フォルダーで',
  'presets.in-a-worktree': '専用のワークツリーで',
}
