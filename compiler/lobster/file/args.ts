import type { ArgSpec } from '../../../plan/plan';
import { setSpelled } from '../../../plan/text/spelled-json';
import { spelledOf } from '../../read/json';
import { describeNode, type Entry, entryOf } from '../../read/node';
import { type LobsterContext, warnOfUnknownKeys } from './context';

/** Reads `args {name: {default, description}}`. Lobster ignores everything else, and also takes args that are not listed. */
export function readLobsterArgs(entry: Entry | undefined, context: Pick<LobsterContext, 'report'>): Map<string, ArgSpec> {
  const found = new Map<string, ArgSpec>();
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return found;
  const ignored = (item: Entry): void => {
    const message = `"${item.key}" is ${describeNode(item.value)} and ignored`;
    context.report('lobster.ignored', item.value.at, message, 'write {default: …, description: …}');
  };
  if (entry.value.kind !== 'mapping') {
    ignored(entry);
    return found;
  }
  for (const item of entry.value.entries) {
    const spec: ArgSpec = {};
    found.set(item.key, spec);
    if (item.value.kind !== 'mapping') {
      if (item.value.kind === 'sequence' || item.value.value !== null) ignored(item);
      continue;
    }
    warnOfUnknownKeys(item.value, `the arg "${item.key}"`, ['default', 'description'], context);
    const [fallback, description] = [entryOf(item.value, 'default'), entryOf(item.value, 'description')];
    if (fallback) setSpelled(spec, 'default', spelledOf(fallback.value));
    if (description?.value.kind === 'scalar' && typeof description.value.value === 'string')
      spec.description = description.value.value.trim();
  }
  return found;
}
