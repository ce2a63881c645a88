import { listWords } from '../../compiler/diagnostics/suggest';
import { CLI_PRESETS, type ProgramSpec } from '../../plan/agents/adapter';
import { setField } from '../../plan/text/json';
import { type Fields, mapping, oneOf, type Problems, type Reader, refuse, refuseKey, shaped, text, texts } from './fields';

/** Settings of an agent's program. No shell reads any of them. */

export const PROGRAM_KEYS = ['preset', 'command', 'args', 'prompt', 'output', 'pass_env', 'env', 'model'] as const;
const PROMPTS = ['stdin', 'argument'] as const;
const OUTPUTS = ['text', 'json'] as const;

/** @param isPreset whether there is already a preset with the adapter's name */
export function agentProgram(fields: Fields, path: string, isPreset: boolean, problems: Problems): ProgramSpec {
  const before = problems.length;
  const spec: ProgramSpec = { kind: 'cli' };
  const preset = fields.take('preset', oneOf(CLI_PRESETS));
  const [command, args] = [fields.take('command', argv), fields.take('args', argumentList)];
  const [prompt, output] = [fields.take('prompt', oneOf(PROMPTS)), fields.take('output', oneOf(OUTPUTS))];
  const [passEnv, env, model] = [fields.take('pass_env', variableNames), fields.take('env', variables), fields.take('model', text)];
  if (preset !== undefined) spec.preset = preset;
  if (command) spec.command = command;
  if (args) spec.args = args;
  if (prompt !== undefined) spec.prompt = prompt;
  if (output !== undefined) spec.output = output;
  if (passEnv) spec.passEnv = passEnv;
  if (env) spec.env = env;
  if (model !== undefined) spec.model = model;
  if (!isPreset && !preset && !command && problems.length === before)
    refuseKey(problems, path, `"${path}" needs a "command" such as [my-agent, --json], or a "preset": ${listWords(CLI_PRESETS)}`);
  return spec;
}

/** The program first; a text is no list, because nothing here splits it. */
export const argv: Reader<string[]> = (value, name, problems) => {
  const read = argumentList(value, name, problems);
  if (!read || (read[0] !== undefined && read[0].trim() !== '')) return read;
  refuse(problems, name, `"${name}" must begin with the program's name`);
  return undefined;
};

const argumentList: Reader<string[]> = (value, name, problems) => {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'))) return value;
  const hint = Array.isArray(value) ? 'put each in quotes that looks like a number' : undefined;
  refuse(problems, name, `"${name}" must be a list of texts, such as [my-agent, --json]`, hint);
  return undefined;
};

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const variableName = shaped(VARIABLE, 'the name of a variable, such as MY_TOKEN');

/** Names of the worker's own variables that a program sees, too. */
export const variableNames: Reader<string[]> = (value, name, problems) => {
  if (Array.isArray(value) && value.length === 0) return [];
  const read = texts(value, name, problems)?.flatMap((item) => variableName(item, name, problems) ?? []);
  return read && [...new Set(read)];
};

/** Variables with their values, which may be `secret://…`, or empty. */
export const variables: Reader<Record<string, string>> = (value, name, problems) => {
  const found: Record<string, string> = {};
  for (const [variable, content] of Object.entries(mapping(value, name, problems) ?? {})) {
    const at = `${name}.${variable}`;
    if (!VARIABLE.test(variable)) refuseKey(problems, at, `"${at}": "${variable}" is not a valid variable name`);
    else if (typeof content !== 'string' || content.includes('\0')) refuse(problems, at, `"${at}" must be text`, 'put it in quotes');
    else setField(found, variable, content);
  }
  return found;
};
