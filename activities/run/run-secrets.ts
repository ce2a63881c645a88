import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { masker, maskJson } from '../../plan/text/masker';
import { type StreamMask, streamMask } from '../../plan/text/stream-masker';
import type { Toolbox } from '../toolbox';
import type { LoadedRun } from './loaded-run';

/**
 * The secret args of a run, resolved for one activity. They go into what is rendered for commands and agents, and nowhere else:
 * whatever is journalled, logged, recorded or reported passes `mask` first. The worker's own secrets are masked with them: a program
 * of an agent's may find its keys, and nobody is to read them.
 */
export interface RunSecrets {
  /** Undefined where the arg is no secret. Fails with `secret.missing` where its reference cannot be resolved. */
  value(arg: string): string | undefined;
  mask(text: string): string;
  /** The same for every text within a value, keys included. */
  maskJson(value: Json): Json;
  /** The same for a text that arrives in pieces. @param more secrets beside the run's */
  stream(more?: readonly string[]): StreamMask;
}

/** A worker's own that is shorter, one word, or a path, is a stand-in or no secret (`none`, `postgres`, `/run/secrets/key`). */
const OWN_FROM = 8;
const WORD_OR_PATH = /^([a-z]+|[/~.][\w.-]*(\/[\w.-]+)+)$/i;

export const NO_SECRETS: RunSecrets = {
  value: () => undefined,
  mask: (text) => text,
  maskJson: (value) => value,
  stream: (more = []) => streamMask(more),
};

/** Resolves every secret arg of the run. One that cannot be resolved fails only its users. */
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
  const mask = masker([...args, ...own]);
  return {
    value: (arg) => {
      const value = resolved.get(arg);
      if (value instanceof ThermidorFailure) throw value;
      return value;
    },
    mask,
    maskJson: (value) => maskJson(value, mask),
    stream: (more = []) => streamMask([...args, ...own, ...more]),
  };
}

function missing(error: unknown): ThermidorFailure {
  if (error instanceof ThermidorFailure) return error;
  throw error;
}
