import { field, type Json } from '../../../plan/json';
import type { Usage } from '../../../plan/usage';

/** What a reply used, as its stream says: the input with the first event, the output with the last; later counts stand for earlier ones. */
export interface UsageReader {
  take(usage: Json): void;
  /** Undefined where the service has said nothing. */
  soFar(): Usage | undefined;
  /** Where the stream broke off: the output is at least what came of it, at four characters a token. */
  atLeast(characters: number): Usage | undefined;
}

const CHARACTERS_A_TOKEN = 4;

export function openUsage(): UsageReader {
  let counts: Usage | undefined;
  return {
    take(usage) {
      const count = (name: string, before: number | undefined) => {
        const said = field(usage, name);
        return typeof said === 'number' && Number.isSafeInteger(said) && said >= 0 ? said : (before ?? 0);
      };
      if (field(usage, 'input_tokens') === undefined && field(usage, 'output_tokens') === undefined) return;
      counts = {
        inputTokens: count('input_tokens', counts?.inputTokens),
        outputTokens: count('output_tokens', counts?.outputTokens),
        cacheReadTokens: count('cache_read_input_tokens', counts?.cacheReadTokens),
        cacheWriteTokens: count('cache_creation_input_tokens', counts?.cacheWriteTokens),
        costMicroUsd: null,
      };
    },
    soFar: () => counts,
    atLeast: (characters) =>
      counts && { ...counts, outputTokens: Math.max(counts.outputTokens, Math.ceil(characters / CHARACTERS_A_TOKEN)) },
  };
}
