import type { ProgramSpec } from '../../../plan/adapter';
import { GIT_SETTINGS } from '../../../plan/git-places';
import type { Json } from '../../../plan/json';
import { unlessTooDeep } from '../../../plan/json-depth';
import type { Turn } from '../../agent-port';
import type { Secrets } from '../../ports';
import { commandEnvironment } from '../process-environment';
import type { ProgramPreset } from './preset';

/** What a program sees, and what of it nobody else is to see. */
export interface ProgramEnvironment {
  variables: Readonly<Record<string, string>>;
  mask(text: string): string;
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH/i;
/** What is shorter is too likely to be part of something else. */
const MASKED_FROM = 6;

/** The allowlist of process-environment.ts, what the preset and the setting pass on, and what the setting sets. Fails with `secret.missing`. */
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
  return { variables: commandEnvironment(worker, { ...GIT_SETTINGS, ...Object.fromEntries(set) }), mask: masker(hidden) };
}

/** Without what is hidden, wherever it stands. */
export function maskTurn(turn: Turn, mask: (text: string) => string): Turn {
  const { text, calls, call } = turn;
  return {
    ...turn,
    text: mask(text),
    ...(calls ? { calls: calls.map((made) => ({ ...made, args: maskJson(unlessTooDeep(made.args), mask) })) } : {}),
    ...(call ? { call: { ...call, args: maskJson(unlessTooDeep(call.args), mask) } } : {}),
  };
}

/** Every text within a value. */
export function maskJson(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskJson(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskJson(item, mask)]));
}

function masker(hidden: readonly string[]): (text: string) => string {
  const forms = [...new Set(hidden.filter((value) => value.length >= MASKED_FROM))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, '***'), text);
}
