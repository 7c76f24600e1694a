import type { DraftTranslation } from '../../language/translation.ts'
import type { first as english } from '../en/first.ts'

/** The Japanese words of an installation that has no conversation yet. */
export const first: DraftTranslation<typeof english> = {
  'first.begin-with': 'はじめに',
  'first.models': '{count, plural, other {# 個のモデル}}: {names}',
  'first.models-more': '{count, plural, other {# 個のモデル}}: {names} (+{more, number})',
  'first.in-the-environment': '環境変数のキー、保存されません · {models}',
  'first.without-a-model': '動作していますが、モデルがまだありません。',
  'first.small-window':
    '{tokens, number} トークンのウィンドウにはすべてのツールが入りません。先頭のツールだけを送ります。Ollama は OLLAMA_CONTEXT_LENGTH=32768 で広がります。',
  'first.no-model-found': 'モデルが見つかりません',
  'first.no-model-yet': 'モデルはまだありません',
  'first.no-model-says':
    'このコンピューターで Ollama、LM Studio、llama.cpp、vLLM のいずれかを起動するか、キーを用意してください。',
  'first.no-server-found': 'このコンピューターにモデルのサーバーがありません',
  'first.no-server-says':
    'Ollama、LM Studio、llama.cpp、vLLM のいずれかを起動して、もう一度探してください。Holdfast の起動時に応答が遅れていた可能性もあります。',
  'first.look-again': 'もう一度探す',
  'first.looking': '探しています…',
  'first.use': '使う',
  'first.use-name': '{name} を使う',
  'first.answers-here': 'ここで回答します',
  'first.your-project': 'あなたのプロジェクト',
  'first.your-project-says': 'エージェントは、開いたフォルダーのファイルを、確認を求めてから読み書きします。',
  'first.conversations-of': '{name} の会話',
  'first.conversations-says':
    '{count, plural, other {# 件のログ}}、{size}、最新は {day}、{folder} にあります。押すまで何も読み込まれません。',
  'first.conversations-unread': '{count, plural, other {# 件は読み取り権限がないため、取り込まれません: {names}}}',
  'first.import': '取り込む',
  'first.import-of': '{name} の会話を取り込む',
}
