import { defined } from '../../../plan/defined';
import type { ApiRefusal } from '../model/api-failure';

/**
 * What a model accepts, as learned from its refusals: models and compatible servers differ, and a request that is refused for its form
 * costs nothing. The knowledge holds for the model until the process ends.
 */
export interface MessagesFeatures {
  /** A schema for the reply. */
  format: boolean;
  /** `manual`: with a budget of its own. */
  thinking: 'manual' | 'adaptive' | 'none';
  /** The limit of one reply. */
  mostTokens?: number;
}

export const ALL_FEATURES: MessagesFeatures = { format: true, thinking: 'manual' };

/** The features of a dialect that a request used. */
export interface UsedFeatures {
  format: boolean;
  thinking: boolean;
  maxTokens: number;
}

const FORMAT = /output_config|output_format|structured output|schema|grammar|optional parameters/i;
const THINKING = /thinking|budget_tokens/i;
const MOST_TOKENS = /max_tokens\D{0,20}\d+\s*>\s*(\d+)/i;
/** Matches `input length and max_tokens exceed context limit: 190000 + 16000 > 200000`. */
const NO_ROOM = /exceed context limit\D{0,10}(\d+)\s*\+\s*\d+\s*>\s*(\d+)/i;
const LEAST_REPLY = 1024;

/** The request without the refused feature; undefined if the refusal is about something else. Each step removes something, so it ends. */
export function withoutRefusedFeature(
  dialect: MessagesFeatures,
  used: UsedFeatures,
  { status, says = '' }: ApiRefusal,
): MessagesFeatures | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const most = mostTokens(says);
  if (most !== undefined && most > 0 && most < used.maxTokens) return { ...dialect, mostTokens: most };
  if (used.thinking && THINKING.test(says)) return { ...dialect, thinking: dialect.thinking === 'manual' ? 'adaptive' : 'none' };
  if (used.format && FORMAT.test(says)) return { ...dialect, format: false };
  return undefined;
}

function mostTokens(says: string): number | undefined {
  const [, read, room] = NO_ROOM.exec(says) ?? [];
  if (read === undefined || room === undefined) return Number(MOST_TOKENS.exec(says)?.[1] ?? Number.NaN) || undefined;
  const left = Number(room) - Number(read);
  return left >= LEAST_REPLY ? left : undefined;
}

/** The features to remember. The room that was left concerns this request alone, and is not remembered. */
export function rememberedFeatures(before: MessagesFeatures, after: MessagesFeatures, says: string): MessagesFeatures {
  if (!NO_ROOM.test(says)) return after;
  const { mostTokens: _once, ...rest } = after;
  return { ...rest, ...defined({ mostTokens: before.mostTokens }) };
}
