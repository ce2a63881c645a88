import { isCount, type ReportedCounts, reportedReply, reportedSoFar } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import { field, type Json } from '../../../plan/text/json';

/** The usage of a reply, from its stream: the input with the first event, the output with the last; later counts replace earlier ones. */
export interface UsageReader {
  /** @param final whether it comes with the last event, which alone counts the whole output */
  take(usage: Json, final?: true): void;
  /** Undefined if the service has reported nothing. */
  soFar(): Usage | undefined;
  /** If the stream broke off: the output is at least what arrived, at four characters a token. */
  atLeast(characters: number): Usage | undefined;
}

const CHARACTERS_A_TOKEN = 4;

const NAMES = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cacheReadTokens: 'cache_read_input_tokens',
  cacheWriteTokens: 'cache_creation_input_tokens',
} as const satisfies Record<keyof ReportedCounts, string>;

export function openUsage(): UsageReader {
  let reported: ReportedCounts | undefined;
  let isWhole = false;
  return {
    take(usage, final) {
      isWhole ||= final === true && field(usage, 'output_tokens') !== undefined;
      for (const [kind, name] of Object.entries(NAMES)) {
        const said = field(usage, name);
        if (said !== undefined && said !== null) reported = { ...reported, [kind]: said };
      }
    },
    soFar: () => reported && (isWhole ? reportedReply(reported) : reportedSoFar(reportedReply(reported))),
    atLeast(characters) {
      if (!reported) return undefined;
      const written = Math.ceil(characters / CHARACTERS_A_TOKEN);
      const outputTokens = isCount(reported.outputTokens) ? Math.max(reported.outputTokens, written) : written;
      return reportedReply({ ...reported, outputTokens });
    },
  };
}
