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

/**
 * Values that the secret args of a run have had in this process. One that was replaced since, or that cannot be read any more, may still be in what work fails
 * with: it is masked as long as the run is loaded.
 */
const everResolved = new WeakMap<SecretRun, Set<string>>();

type SecretRun = Pick<LoadedRun, 'plan' | 'record'>;
type SecretPort = Pick<Toolbox, 'secrets'>;

/** Resolves every secret arg of the run. One that cannot be resolved fails only its users. */
export async function runSecrets(toolbox: SecretPort, run: SecretRun): Promise<RunSecrets> {
  const { secrets } = toolbox;
  const resolved = new Map<string, string | { problem: unknown }>();
  const values = everResolved.get(run) ?? new Set<string>();
  everResolved.set(run, values);
  for (const [arg, reference] of secretArgs(run)) {
    const value = await secrets.resolve(reference).catch((problem: unknown) => ({ problem }));
    resolved.set(arg, value);
    if (typeof value === 'string') values.add(value);
  }
  const value = (arg: string): string | undefined => {
    const found = resolved.get(arg);
    if (typeof found === 'object') throw found.problem;
    return found;
  };
  const masking = maskingOf(run, [...values, ...workerSecrets(toolbox)]);
  return resolved.size === 0 ? masking : { ...masking, value };
}

/** References of the run's that lead nowhere from here. */
export async function missingReferences({ secrets }: SecretPort, run: SecretRun): Promise<string[]> {
  const found = await Promise.all(
    secretArgs(run).map(async ([, reference]) => {
      const isThere = await secrets.resolve(reference).then(
        () => true,
        () => false,
      );
      return isThere ? [] : [reference];
    }),
  );
  return [...new Set(found.flat())];
}

/** The secret args of a run, with the references that it was started with. */
function secretArgs({ plan, record }: SecretRun): [name: string, reference: string][] {
  return Object.entries(plan.args ?? {}).flatMap(([name, spec]): [string, string][] => {
    const reference = Object.hasOwn(record.args, name) ? record.args[name] : undefined;
    return spec.secret && typeof reference === 'string' ? [[name, reference]] : [];
  });
}

/** Masks the worker's own alone: of a run that cannot be loaded no others are known. */
export function ownSecrets(toolbox: SecretPort): RunSecrets {
  return maskingOf(toolbox.secrets, workerSecrets(toolbox));
}

function workerSecrets({ secrets }: SecretPort): string[] {
  return (secrets.known?.() ?? []).filter((value) => value.length >= OWN_FROM && !WORD_OR_PATH.test(value));
}

/** By whose secrets they are: they seldom change, and every call asks. */
const lastMasking = new WeakMap<object, { secrets: readonly string[]; masking: RunSecrets }>();

function maskingOf(owner: object, secrets: readonly string[]): RunSecrets {
  if (secrets.length === 0) return NO_SECRETS;
  const last = lastMasking.get(owner);
  if (last?.secrets.length === secrets.length && secrets.every((secret, i) => secret === last.secrets[i])) return last.masking;
  const mask = masker(secrets);
  const masking: RunSecrets = {
    value: NO_SECRETS.value,
    mask,
    maskJson: (value) => maskJson(value, mask),
    stream: (more = []) => streamMask([...secrets, ...more]),
  };
  lastMasking.set(owner, { secrets, masking });
  return masking;
}
