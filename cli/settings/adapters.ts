import { SCRIPTED } from '../../activities/toolbox';
import { didYouMean, listWords } from '../../compiler/diagnostics/suggest';
import { ADAPTER_KINDS, type AdapterSpec, BUILT_IN_ADAPTERS } from '../../plan/agents/adapter';
import { agentProgram } from './agent-programs';
import { endpoint } from './endpoints';
import { mapping, named, oneOf, type Problems, type Reader, record, refuse, refuseKey, unread } from './fields';

/** Agents write `adapter: cli` for any program. */
const PROGRAM = 'cli';
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/**
 * `adapters: {anthropic: {key, base_url, headers, model}, mybot: {kind: cli, command, …}}`. An entry with the name of a built-in adapter is
 * laid over it, so its kind may be omitted.
 */
export const adapters: Reader<Record<string, AdapterSpec>> = named((content, path, problems, adapter) =>
  isName(adapter, path, problems) ? adapterSpec(adapter, content ?? {}, path, problems) : undefined,
);

export function refuseUnknown(problems: Problems, adapter: string, path: string, known: readonly string[]): void {
  const hint = didYouMean(adapter, known) ?? `known: ${known.join(', ')}`;
  refuse(problems, path, `"${path}" names an unknown adapter "${adapter}"`, hint);
}

function adapterSpec(adapter: string, content: unknown, path: string, problems: Problems): AdapterSpec | undefined {
  const given = mapping(content, path, problems);
  if (!given) return undefined;
  const builtIn = Object.hasOwn(BUILT_IN_ADAPTERS, adapter) ? BUILT_IN_ADAPTERS[adapter] : undefined;
  const kind = Object.hasOwn(given, 'kind') ? oneOf(ADAPTER_KINDS)(given['kind'], `${path}.kind`, problems) : builtIn?.kind;
  if (kind === undefined) {
    if (!Object.hasOwn(given, 'kind')) refuseKindless(problems, adapter, path);
    return undefined;
  }
  if (kind === 'own') return record({ kind: unread })(given, path, problems) && { kind };
  return (kind === 'cli' ? agentProgram(builtIn?.kind === 'cli') : endpoint(kind))(given, path, problems);
}

function refuseKindless(problems: Problems, adapter: string, path: string): void {
  refuseKey(problems, path, `"${path}" needs a "kind": ${listWords(ADAPTER_KINDS)}`, didYouMean(adapter, Object.keys(BUILT_IN_ADAPTERS)));
}

function isName(adapter: string, at: string, problems: Problems): boolean {
  const no = (why: string, hint?: string): void => refuseKey(problems, at, `"${at}": "${adapter}" ${why}`, hint);
  if (adapter === SCRIPTED) no("stands for a run's script and is not set up");
  else if (adapter === PROGRAM) no('is a kind', 'give the program a name of its own; agents name it by `binary`');
  else if (!NAME.test(adapter)) no('is not a valid name', 'begin with a letter, then letters, digits and . _ -, 64 at most');
  else return true;
  return false;
}
