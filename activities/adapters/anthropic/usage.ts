import { field, type Json } from '../../../plan/json';
import { isCount, type ToldCounts, toldSoFar, toldUsage } from '../../../plan/told-usage';
import type { Usage } from '../../../plan/usage';

/** What a reply used, as its stream says: the input with the first event, the output with the last; later counts stand for earlier ones. */
export interface UsageReader {
  /** @param final whether it comes with the last event, which alone counts the whole output */
  take(usage: Json, final?: true): void;
  /** Undefined where the service has said nothing. */
  soFar(): Usage | undefined;
  /** Where the stream broke off: the output is at least what came of it, at four characters a token. */
  atLeast(characters: number): Usage | undefined;
}

const CHARACTERS_A_TOKEN = 4;

const NAMES = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cacheReadTokens: 'cache_read_input_tokens',
  cacheWriteTokens: 'cache_creation_input_tokens',
} as const satisfies Record<keyof ToldCounts, string>;

export function openUsage(): UsageReader {
  let told: ToldCounts | undefined;
  let isWhole = false;
  return {
    take(usage, final) {
      isWhole ||= final === true && field(usage, 'output_tokens') !== undefined;
      for (const [kind, name] of Object.entries(NAMES)) {
        const said = field(usage, name);
        if (said !== undefined && said !== null) told = { ...told, [kind]: said };
      }
    },
    soFar: () => told && (isWhole ? toldUsage(told) : toldSoFar(toldUsage(told))),
    atLeast(characters) {
      if (!told) return undefined;
      const written = Math.ceil(characters / CHARACTERS_A_TOKEN);
      const outputTokens = isCount(told.outputTokens) ? Math.max(told.outputTokens, written) : written;
      return toldUsage({ ...told, outputTokens });
    },
  };
}
