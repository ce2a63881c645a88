import { CLI_PRESETS } from '../../plan/agents/adapter';
import type { Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { Installation } from '../installation';
import { entryOf } from '../read/node';
import type { AgentSource } from './agent-text';

/** The word that means "a program, which `binary` names". */
const PROGRAM = 'cli';

/** The adapter's name. `adapter: cli` with `binary: claude` is the adapter `claude`. */
export function adapterOf({ node, adapter, binary }: AgentSource, { adapters }: Installation, report: Report): string | undefined {
  const [adapterEntry, binaryEntry] = [entryOf(node, 'adapter'), entryOf(node, 'binary')];
  const presets = `${CLI_PRESETS.join(', ')}, or a name from \`adapters\` of thermidor.yaml`;
  if (adapter?.value === PROGRAM && !binaryEntry) {
    report('shape.missing-key', adapter.at, '"adapter: cli" requires a "binary"', `add \`binary:\` with the program: ${presets}`);
    return undefined;
  }
  if (binaryEntry && adapter?.value !== PROGRAM) {
    const hint = adapter ? 'write `adapter: cli`, or remove `binary`' : 'add `adapter: cli`';
    if (!adapterEntry || adapter) report('shape.missing-key', binaryEntry.keyAt, '"binary" requires "adapter: cli"', hint);
    return undefined;
  }
  const named = binary ?? adapter;
  if (!named || !adapters || adapters.includes(named.value)) return named?.value;
  const known = () =>
    didYouMean(named.value, adapters, `known: ${adapters.join(', ')}; others are defined under \`adapters\` of thermidor.yaml`);
  report('adapter.unknown', named.at, `there is no adapter "${named.value}"`, known);
  return undefined;
}
