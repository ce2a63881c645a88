import type { ProgramSpec } from '../../../plan/agents/adapter';
import { GIT_SETTINGS, redirectsGit } from '../../../plan/agents/git-variables';
import { defined } from '../../../plan/defined';
import { unlessTooDeep } from '../../../plan/text/json-depth';
import { masker, maskJson } from '../../../plan/text/masker';
import type { Turn } from '../../../records/transcripts/turn';
import type { Secrets } from '../../ports';
import { commandEnvironment } from '../processes/process-environment';
import type { ProgramPreset } from './preset';

/** The environment of a program, and the values in it that must stay hidden. */
export interface ProgramEnvironment {
  variables: Readonly<Record<string, string>>;
  mask(text: string): string;
  /** The values that `mask` removes. */
  hidden: readonly string[];
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH/i;
/** Shorter values are not masked: they are probably placeholders, or part of something else. */
const MASKED_FROM = 6;

/**
 * The allowlist of process-environment.ts, the variables that the preset and the setting pass on, and those that the setting sets. Fails
 * with `secret.missing`.
 */
export async function programEnvironment(
  preset: ProgramPreset,
  { passEnv = [], env = {} }: ProgramSpec,
  secrets: Secrets,
  worker: NodeJS.ProcessEnv = process.env,
): Promise<ProgramEnvironment> {
  const passed = [...preset.passEnv, ...passEnv].flatMap((name): [string, string][] => {
    const value = worker[name];
    return value === undefined ? [] : [[name, value]];
  });
  const own: [string, string][] = [];
  const hidden: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    const resolved = await secrets.resolve(value);
    own.push([name, resolved]);
    if (resolved !== value) hidden.push(resolved);
  }
  const set = [...passed, ...own];
  hidden.push(...set.flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : [])));
  const masked = hidden.filter(({ length }) => length >= MASKED_FROM);
  return {
    variables: commandEnvironment(worker, { ...GIT_SETTINGS, ...Object.fromEntries(set) }),
    mask: masker(masked),
    hidden: masked,
  };
}

/** Variables that lead imports to somebody else's folder. */
const IMPORT_PLACES: readonly string[] = ['NODE_PATH', 'VIRTUAL_ENV', 'PYTHONPATH'];

/** The environment in a step's worktree, from which nothing leads to another repository or its packages. */
export function variablesIn(
  { variables }: ProgramEnvironment,
  worktree: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  if (!worktree) return variables;
  const kept = Object.entries(variables).filter(([name]) => !redirectsGit(name) && !IMPORT_PLACES.includes(name));
  return { ...Object.fromEntries(kept), ...GIT_SETTINGS, ...worktree };
}

/** Masks hidden values in a turn, at any depth. */
export function maskTurn(turn: Turn, mask: (text: string) => string): Turn {
  const { text, calls, call } = turn;
  return {
    ...turn,
    text: mask(text),
    ...defined({
      calls: calls?.map((made) => ({ ...made, args: maskJson(unlessTooDeep(made.args), mask) })),
      call: call && { ...call, args: maskJson(unlessTooDeep(call.args), mask) },
    }),
  };
}
