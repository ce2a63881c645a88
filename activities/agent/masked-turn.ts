import type { Json } from '../../plan/json';
import { isTooDeep, unlessTooDeep } from '../../plan/json-depth';
import type { ToolCall } from '../../plan/tool';
import { asJson } from '../../records/stored-json';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import type { Turn } from '../../records/transcripts/turn';

/** What passes before anything is recorded. */
export interface Masks {
  mask(text: string): string;
  maskJson(value: Json): Json;
}

/** A turn as it may be recorded: without secrets, and without what nests so deep that nobody could read it again. */
export function maskedTurn({ text, calls, call, message, ...rest }: Turn, { mask, maskJson }: Masks): Turn {
  const masked = (made: ToolCall): ToolCall => ({ ...made, tool: mask(made.tool), args: maskJson(unlessTooDeep(made.args)) });
  return {
    ...rest,
    text: mask(text),
    ...(calls?.length ? { calls: calls.map(masked) } : {}),
    ...(call ? { call: masked(call) } : {}),
    ...(message === undefined || isTooDeep(message) ? {} : { message: maskJson(message) }),
  };
}

export function maskedEffect(effect: ToolEffect, { maskJson }: Masks): ToolEffect {
  // Masking changes texts and nothing of the form.
  const masked: unknown = maskJson(asJson(effect));
  return masked as ToolEffect;
}
