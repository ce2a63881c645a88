/**
 * The family's words that a server does not accept. Many servers speak them, and none all of them: a word that a server refuses by name is
 * not sent again.
 */
export interface CompletionsFeatures {
  /** The word for the limit of a reply; absent: it accepts none. */
  limit?: LimitWord;
  /** Whether it holds a reply to a schema. */
  schema: boolean;
  /** Whether it can report its usage at the end of a stream. */
  usage: boolean;
  /** The longest reply, if the server has reported it. */
  mostTokens?: number;
}

const LIMIT_WORDS = ['max_completion_tokens', 'max_tokens'] as const;
export type LimitWord = (typeof LIMIT_WORDS)[number];

/**
 * The family's own service knows `max_completion_tokens`, and its newer models nothing else. Most others know `max_tokens`, and some ignore
 * unknown words, which would leave a reply without its limit.
 */
export function firstFeatures(official: boolean): CompletionsFeatures {
  return { limit: official ? 'max_completion_tokens' : 'max_tokens', schema: true, usage: true };
}

const REFUSES =
  /unsupported|not (be )?(support|permit|allow|recogni|valid|available)|unrecogni[sz]ed|unknown|unexpected|extra|forbidden|incompatible|cannot|can't|invalid/i;

const SCHEMA = /response_format|json[_ ]schema|structured output|grammar|guided/i;

/**
 * The dialect without the words that a refusal names; undefined if it names none that was sent. `tried` are words for the limit refused
 * before.
 */
export function withoutRefusedFeatures(
  dialect: CompletionsFeatures,
  says: string,
  tried: readonly LimitWord[],
): CompletionsFeatures | undefined {
  // A server's failure to convert a schema has words of its own.
  if (dialect.schema && SCHEMA.test(says)) return { ...dialect, schema: false };
  if (!REFUSES.test(says)) return undefined;
  if (dialect.usage && /stream_options|include_usage/i.test(says)) return { ...dialect, usage: false };
  const { limit, ...rest } = dialect;
  if (limit === undefined || !names(says, limit)) return undefined;
  const other = LIMIT_WORDS.find((word) => word !== limit && !tried.includes(word));
  return other === undefined ? rest : { ...rest, limit: other };
}

function names(says: string, word: LimitWord): boolean {
  return new RegExp(`\\b${word}\\b`).test(says);
}
