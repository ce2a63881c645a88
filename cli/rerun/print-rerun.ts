import type { CarriedGate, CarriedGates } from '../../plan/run/carry';
import { oneLine } from '../rendering/text/printable';
import type { Terminal } from '../terminal';

/** What a rerun is going to do, printed before it starts. */
export interface PrintedRerun {
  run: string;
  rerunOf: string;
  from: string;
  /** Why it begins there, if no person has named the step. */
  because?: string;
  carried: string[];
  again: string[];
  gates: CarriedGates;
  notes: string[];
}

const NAMED = 12;

export function printRerun(printed: PrintedRerun, write: (text: string) => void, { colors, err }: Pick<Terminal, 'colors' | 'err'>): void {
  const { run, rerunOf, from, because, carried, again, gates, notes } = printed;
  write(`${colors.bold(run)}  ${colors.dim(`rerun of ${rerunOf} from ${from}${because === undefined ? '' : `, ${because}`}`)}\n`);
  write(`  carried over: ${listed(carried)}\n`);
  write(`  runs again: ${listed(again)}\n`);
  if (gates.carried.length > 0) write(`  decisions that remain valid: ${listed(gates.carried.map(decisionText))}\n`);
  if (gates.again.length > 0) write(`  asked again:\n`);
  for (const { gate, because } of gates.again.slice(0, NAMED)) write(`    ${colors.yellow(gate)}: ${oneLine(because)}\n`);
  if (gates.again.length > NAMED) write(`    and ${gates.again.length - NAMED} more\n`);
  for (const note of notes) err(`${colors.yellow('!')} ${note}\n`);
}

function decisionText({ gate, choice, by }: CarriedGate): string {
  return `${gate} (${oneLine(choice)}${by.length > 0 ? ` by ${by.map(oneLine).join(', ')}` : ', by timeout'})`;
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing';
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
