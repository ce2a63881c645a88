import { field, type Json } from '../../../plan/json';
import type { Usage } from '../../../plan/usage';

/** What a program says is read field by field: one that is of another type than documented counts as absent. */
export function textField(value: Json | undefined, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function numberField(value: Json | undefined, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function listField(value: Json | undefined, name: string): readonly Json[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** A count of tokens: no number and what is below zero is none. */
export function tokens(value: Json | undefined, ...names: string[]): number {
  for (const name of names) {
    const found = numberField(value, name);
    if (found !== undefined) return Math.max(0, Math.round(found));
  }
  return 0;
}

/** Whole millionths of a dollar; null where the program does not say. */
export function microUsd(dollars: number | undefined): number | null {
  return dollars === undefined || dollars < 0 ? null : Math.round(dollars * 1_000_000);
}

export function usageOf(counts: Partial<Usage>): Usage {
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null, ...counts };
}
