import { field, isJsonObject, type Json } from '../../../plan/json';
import { toldUsage, without } from '../../../plan/told-usage';
import type { Usage } from '../../../plan/usage';

/** What a server says was used; undefined where it does not say. `prompt_tokens` has what came from its cache in it. Pure. */
export function usageOf(told: Json | undefined): Usage | undefined {
  if (!isJsonObject(told)) return undefined;
  const [prompt, completion] = [field(told, 'prompt_tokens'), field(told, 'completion_tokens')];
  // No reply uses nothing: servers that do not count say so with zeros.
  if (isNothing(prompt) && isNothing(completion)) return undefined;
  const cacheReadTokens = field(field(told, 'prompt_tokens_details'), 'cached_tokens') ?? field(told, 'prompt_cache_hit_tokens');
  return toldUsage({ inputTokens: without(prompt, cacheReadTokens), outputTokens: completion, cacheReadTokens });
}

function isNothing(count: Json | undefined): boolean {
  return count === undefined || count === null || count === 0;
}
