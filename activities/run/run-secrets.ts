import type { Template } from '../../plan/expressions/expression';
import type { Json } from '../../plan/text/json';
import { masker, maskJson } from '../../plan/text/masker';
import { type StreamMask, streamMask } from '../../plan/text/stream-masker';
import type { Toolbox } from '../toolbox';
import { referencesOf, type SecretRun, wholeReference } from './secret-references';

/**
 * The secrets of a run, of its args and of its steps' variables, resolved for one activity. They go into what is rendered for commands and
 * agents, and nowhere else: everything that is journalled, logged, recorded or reported passes `mask` first. The worker's own secrets are
 * masked with them: an agent's program may find its keys, and nobody may read them.
 */
export interface RunSecrets {
  /** Undefined if the arg is no secret. Fails with `secret.missing` if its reference cannot be resolved. */
  value(arg: string): string | undefined;
  /** The value of a step's variable, if it is a single reference. Fails in the same way. */
  variable(template: Template): string | undefined;
  mask(text: string): string;
  /** Masks every text within a value, keys included. */
  maskJson(value: Json): Json;
  /** Masks a text that arrives in pieces. @param more secrets in addition to the run's */
  stream(more?: readonly string[]): StreamMask;
}

/** A worker's own secret that is shorter, one word, or a path, is a placeholder or no secret (`none`, `postgres`, `/run/secrets/key`). */
const OWN_FROM = 8;
const WORD_OR_PATH = /^([a-z]+|[/~.][\w.-]*(\/[\w.-]+)+)$/i;

export const NO_SECRETS: RunSecrets = {
  value: () => undefined,
  variable: () => undefined,
  mask: (text) => text,
  maskJson: (value) => value,
  stream: (more = []) => streamMask(more),
};

/**
 * Values that the secrets of a run have had in this process. One that was replaced since, or that can no longer be read, may still be in a
 * failure: it is masked as long as the run is loaded.
 */
const everResolved = new WeakMap<SecretRun, Set<string>>();

type SecretPort = Pick<Toolbox, 'secrets'>;

/** Resolves every secret of the run. One that cannot be resolved fails only its users. */
export async function runSecrets(toolbox: SecretPort, run: SecretRun): Promise<RunSecrets> {
  const { secrets } = toolbox;
  const resolved = new Map<string, string | { problem: unknown }>();
  const values = everResolved.get(run) ?? new Set<string>();
  everResolved.set(run, values);
  const { args, variables } = referencesOf(run);
  for (const reference of new Set([...args.values(), ...variables])) {
    const value = await secrets.resolve(reference).catch((problem: unknown) => ({ problem }));
    resolved.set(reference, value);
    if (typeof value === 'string') values.add(value);
  }
  const found = (reference: string | undefined): string | undefined => {
    const value = reference === undefined ? undefined : resolved.get(reference);
    if (typeof value === 'object') throw value.problem;
    return value;
  };
  const masking = maskingOf(run, [...values, ...workerSecrets(toolbox)]);
  if (resolved.size === 0) return masking;
  return {
    ...masking,
    value: (arg) => found(args.get(arg)),
    variable: (template) => {
      const reference = wholeReference(template);
      return reference !== undefined && variables.has(reference) ? found(reference) : undefined;
    },
  };
}

/** References of the run's that lead nowhere from here. */
export async function missingReferences({ secrets }: SecretPort, run: SecretRun): Promise<string[]> {
  const { args, variables } = referencesOf(run);
  const missing: string[] = [];
  for (const reference of new Set([...args.values(), ...variables])) {
    await secrets.resolve(reference).catch(() => missing.push(reference));
  }
  return missing;
}

/** Masks the worker's own alone: of a run that cannot be loaded no others are known. */
export function ownSecrets(toolbox: SecretPort): RunSecrets {
  return maskingOf(toolbox.secrets, workerSecrets(toolbox));
}

function workerSecrets({ secrets }: SecretPort): string[] {
  return (secrets.known?.() ?? []).filter((value) => value.length >= OWN_FROM && !WORD_OR_PATH.test(value));
}

/** Maskers by their secrets, which seldom change while every call asks. */
const lastMasking = new WeakMap<object, { secrets: readonly string[]; masking: RunSecrets }>();

function maskingOf(owner: object, secrets: readonly string[]): RunSecrets {
  if (secrets.length === 0) return NO_SECRETS;
  const last = lastMasking.get(owner);
  if (last?.secrets.length === secrets.length && secrets.every((secret, i) => secret === last.secrets[i])) return last.masking;
  const mask = masker(secrets);
  const masking: RunSecrets = {
    value: NO_SECRETS.value,
    variable: NO_SECRETS.variable,
    mask,
    maskJson: (value) => maskJson(value, mask),
    stream: (more = []) => streamMask([...secrets, ...more]),
  };
  lastMasking.set(owner, { secrets, masking });
  return masking;
}
