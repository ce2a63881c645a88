import { ThermidorFailure } from '../plan/failure';
import { isJsonObject, type Json } from '../plan/json';
import type { LoadedRun } from './run-record';
import type { Toolbox } from './toolbox';
import { writtenForms } from './written-forms';

/**
 * The secret args of a run, resolved for one activity. They go into what is rendered for commands and agents, and nowhere else:
 * whatever is journalled, logged, recorded or reported passes `mask` first. The worker's own secrets are masked with them: a program
 * of an agent's may find its keys, and nobody is to read them.
 */
export interface RunSecrets {
  /** Undefined where the arg is no secret. Fails with `secret.missing` where its reference leads nowhere. */
  value(arg: string): string | undefined;
  mask(text: string): string;
  /** The same for every text within a value, keys included. */
  maskJson(value: Json): Json;
}

const MASK = '***';
/** A worker's own that is shorter, one word, or a path, is a stand-in or no secret (`none`, `postgres`, `/run/secrets/key`). */
const OWN_FROM = 8;
const WORD_OR_PATH = /^([a-z]+|[/~.][\w.-]*(\/[\w.-]+)+)$/i;
const DIGEST = /^[0-9a-f]{64}$/;

export const NO_SECRETS: RunSecrets = { value: () => undefined, mask: (text) => text, maskJson: (value) => value };

/** Resolves every secret arg of the run. One that leads nowhere fails whoever uses it, and nobody else. */
export async function runSecrets({ secrets }: Toolbox, run: LoadedRun): Promise<RunSecrets> {
  const resolved = new Map<string, string | ThermidorFailure>();
  for (const [arg, spec] of Object.entries(run.plan.args ?? {})) {
    const reference = Object.hasOwn(run.record.args, arg) ? run.record.args[arg] : undefined;
    if (!spec.secret || typeof reference !== 'string') continue;
    resolved.set(arg, await secrets.resolve(reference).catch(missing));
  }
  const own = (secrets.known?.() ?? []).filter((value) => value.length >= OWN_FROM && !WORD_OR_PATH.test(value));
  if (resolved.size === 0 && own.length === 0) return NO_SECRETS;
  const args = [...resolved.values()].filter((value) => typeof value === 'string');
  const mask = masker([...args, ...own].flatMap(writtenForms));
  return {
    value: (arg) => {
      const value = resolved.get(arg);
      if (value instanceof ThermidorFailure) throw value;
      return value;
    },
    mask,
    maskJson: (value) => maskWithin(value, mask),
  };
}

function missing(error: unknown): ThermidorFailure {
  if (error instanceof ThermidorFailure) return error;
  throw error;
}

function masker(forms: string[]): (text: string) => string {
  // The longest first, so that nothing of one is left over where a shorter one is part of it.
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function maskWithin(value: Json, mask: (text: string) => string): Json {
  // A digest names an artifact; whatever it looks like, it is no secret.
  if (typeof value === 'string') return DIGEST.test(value) ? value : mask(value);
  if (Array.isArray(value)) return value.map((item) => maskWithin(item, mask));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskWithin(item, mask)]));
}
