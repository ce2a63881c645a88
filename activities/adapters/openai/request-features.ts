/**
 * What a server does not take of the family's words. Many speak them, and none all of them: what one refuses by name it is not sent again.
 */
export interface CompletionsFeatures {
  /** What the limit of a reply is called; absent: it takes none. */
  limit?: LimitWord;
  /** Whether it holds a reply to a schema. */
  schema: boolean;
  /** Whether it can report its usage at the end of a stream. */
  usage: boolean;
  /** The longest reply it gives, where it has said so. */
  mostTokens?: number;
}

const LIMIT_WORDS = ['max_completion_tokens', 'max_tokens'] as const;
export type LimitWord = (typeof LIMIT_WORDS)[number];

/**
 * The service that the family comes from knows `max_completion_tokens`, and its newer models nothing else. Of the others most know `max_tokens`, and some
 * pass over what they do not know, which would leave a reply without its limit.
 */
export function firstFeatures(official: boolean): CompletionsFeatures {
  return { limit: official ? 'max_completion_tokens' : 'max_tokens', schema: true, usage: true };
}

const REFUSES =
  /unsupported|not (be )?(support|permit|allow|recogni|valid|available)|unrecogni[sz]ed|unknown|unexpected|extra|forbidden|incompatible|cannot|can't|invalid/i;

const SCHEMA = /response_format|json[_ ]schema|structured output|grammar|guided/i;

/** The dialect without what a refusal names; undefined where it names nothing that was sent. `tried` are words for the limit refused before. */
export function withoutRefusedFeatures(
  dialect: CompletionsFeatures,
  says: string,
  tried: readonly LimitWord[],
): CompletionsFeatures | undefined {
  // What servers make of a schema fails in words of its own.
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
