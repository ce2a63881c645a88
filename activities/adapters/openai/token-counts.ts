import { field, type Json } from '../../../plan/json';
import type { Usage } from '../../../plan/usage';

/** What a server says was used. `prompt_tokens` has what came from its cache in it. Pure. */
export function usageOf(told: Json | undefined): Usage | undefined {
  const [prompt, completion] = [count(field(told, 'prompt_tokens')), count(field(told, 'completion_tokens'))];
  // No reply uses nothing: servers that do not count say so with zeros.
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined;
  const cached = count(field(field(told, 'prompt_tokens_details'), 'cached_tokens')) ?? count(field(told, 'prompt_cache_hit_tokens')) ?? 0;
  const read = Math.min(cached, prompt);
  return { inputTokens: prompt - read, outputTokens: completion, cacheReadTokens: read, cacheWriteTokens: 0, costMicroUsd: null };
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}
