import { isTemplate } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import { isSecretReference } from '../../plan/run/args';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { HOOK_RATE, HOOK_WITHIN_MS, SIGNATURES, TIMED_SIGNATURES, type WebhookTrigger } from '../../plan/web-hook';

/** What `apply` remembers of a web hook: all that a listener needs, and no secret. */
export interface FrozenHook {
  trigger: WebhookTrigger;
  /** The args that the pipeline takes. */
  takes: Pick<Plan, 'args' | 'context'>;
}

/** A web hook as the server has it. */
export interface AppliedHook extends FrozenHook {
  /** The id of its schedule. */
  schedule: string;
  pipeline: string;
  /** A script that plays the agents of every run that it starts. */
  script?: string;
  paused: boolean;
}

/** Undefined if it is no web hook, or none that can be believed: anybody may make a schedule. */
export function frozenHookIn(stored: unknown): FrozenHook | undefined {
  const trigger = field(stored, 'trigger');
  const takes = field(stored, 'takes');
  return isHook(trigger) && isTaken(takes) ? { trigger, takes } : undefined;
}

function isTaken(value: Json | undefined): value is FrozenHook['takes'] & { [key: string]: Json } {
  if (!isJsonObject(value)) return false;
  const { args = {}, context = {} } = value;
  return isJsonObject(context) && isJsonObject(args) && Object.values(args).every(isJsonObject);
}

/** Its expressions are checked only where they are evaluated. */
function isHook(value: Json | undefined): value is WebhookTrigger & { [key: string]: Json } {
  if (!isJsonObject(value) || value['kind'] !== 'webhook') return false;
  const { path, signature, secret, rate, withinMs, key, args = {} } = value;
  const form = SIGNATURES.find((one) => one === signature);
  if (typeof path !== 'string' || form === undefined || typeof secret !== 'string' || !isSecretReference(secret)) return false;
  if (!within(rate, HOOK_RATE) || (TIMED_SIGNATURES.includes(form) && !within(withinMs, HOOK_WITHIN_MS))) return false;
  return (key === undefined || isTemplate(key)) && isJsonObject(args) && Object.values(args).every(isTemplate);
}

function within(value: Json | undefined, { min, max }: { min: number; max: number }): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}
