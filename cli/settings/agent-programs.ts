import { listWords } from '../../compiler/diagnostics/suggest';
import { CLI_PRESETS, type ProgramSpec } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { named, oneOf, type Reader, record, refuse, refuseKey, shaped, text, texts, unread } from './fields';

/** Settings of an agent's program. No shell reads any of them. */

const PROMPTS = ['stdin', 'argument'] as const;
const OUTPUTS = ['text', 'json'] as const;

/** @param isPreset whether there is already a preset with the adapter's name */
export function agentProgram(isPreset: boolean): Reader<ProgramSpec> {
  return (value, path, problems) => {
    const before = problems.length;
    const { kind: _, pass_env: passEnv, ...read } = PROGRAM(value, path, problems) ?? {};
    if (!isPreset && !read.preset && !read.command && problems.length === before)
      refuseKey(problems, path, `"${path}" needs a "command" such as [my-agent, --json], or a "preset": ${listWords(CLI_PRESETS)}`);
    return { kind: 'cli', ...read, ...defined({ passEnv }) };
  };
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
export const variables: Reader<Record<string, string>> = named((content, at, problems, variable) => {
  if (!VARIABLE.test(variable)) refuseKey(problems, at, `"${at}": "${variable}" is not a valid variable name`);
  else if (typeof content !== 'string' || content.includes('\0')) refuse(problems, at, `"${at}" must be text`, 'put it in quotes');
  else return content;
  return undefined;
});

const PROGRAM = record({
  kind: unread,
  preset: oneOf(CLI_PRESETS),
  command: argv,
  args: argumentList,
  prompt: oneOf(PROMPTS),
  output: oneOf(OUTPUTS),
  pass_env: variableNames,
  env: variables,
  model: text,
});
