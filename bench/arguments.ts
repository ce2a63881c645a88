import { parseArgs } from 'node:util';
import { didYouMean, listWords } from '../compiler/diagnostics/suggest';
import { defined } from '../plan/defined';
import type { Bench } from './bench';
import { TRUSTED_ROUNDS } from './bench';

/** The command line of `npm run bench`. */
export interface BenchArguments {
  /** Each bench that was asked for, with its cases. */
  wanted: { bench: Bench; cases: readonly string[] }[];
  json: boolean;
  help: boolean;
  rounds: number;
  memory: boolean;
  address?: string;
  profileDir?: string;
}

export class BenchUsage extends Error {
  override readonly name = 'BenchUsage';
}

const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  case: { type: 'string', multiple: true, default: [] as string[] },
  rounds: { type: 'string', default: String(TRUSTED_ROUNDS) },
  memory: { type: 'boolean', default: false },
  address: { type: 'string' },
  profile: { type: 'string' },
} as const;

const MOST_ROUNDS = 1000;

/** Reads the arguments after `npm run bench --`. Fails with BenchUsage. */
export function readBenchArguments(argv: readonly string[], benches: readonly Bench[]): BenchArguments {
  const { values, positionals } = parse(argv);
  const names = benches.map((bench) => bench.name);
  for (const name of positionals) if (!names.includes(name)) throw unknown('bench', name, names);
  const chosen = positionals.length === 0 ? benches : benches.filter((bench) => positionals.includes(bench.name));
  const known = chosen.flatMap((bench) => bench.cases);
  for (const name of values.case) if (!known.includes(name)) throw unknown('case', name, known);
  const wanted = chosen
    .map((bench) => ({ bench, cases: values.case.length === 0 ? bench.cases : bench.cases.filter((name) => values.case.includes(name)) }))
    .filter(({ cases }) => cases.length > 0);
  return {
    wanted,
    json: values.json,
    help: values.help,
    rounds: readRounds(values.rounds),
    memory: values.memory,
    ...defined({ address: values.address, profileDir: values.profile }),
  };
}

export function helpText(benches: readonly Bench[]): string {
  const listed = benches.map(({ name, doc, cases }) => `  ${name}: ${doc}\n    cases: ${cases.join(', ')}`);
  return [
    'npm run bench -- [BENCH…] [--case CASE]… [--rounds N] [--memory] [--address HOST:PORT] [--json] [--profile FOLDER]',
    '',
    ...listed,
    '',
    `--rounds N        how often each case is measured; figures are medians (${TRUSTED_ROUNDS}; fewer are for trying)`,
    '--memory          `overhead` and `store` keep their databases in memory (Linux); otherwise on the disk of the temporary folder',
    '--address HOST:PORT  `overhead` uses the Temporal server that runs there, in its namespace `default`; otherwise it starts one',
    '--json            one JSON object a line instead of the table',
    '--profile FOLDER  writes CPU profiles of the measured processes there; measuring slows them down',
    '',
  ].join('\n');
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new BenchUsage(error instanceof Error ? error.message : String(error));
  }
}

function readRounds(text: string): number {
  const rounds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (rounds >= 1 && rounds <= MOST_ROUNDS) return rounds;
  throw new BenchUsage(`--rounds takes a whole number from 1 to ${MOST_ROUNDS}, not "${text}"`);
}

function unknown(what: string, name: string, known: readonly string[]): BenchUsage {
  return new BenchUsage(`there is no ${what} "${name}"; ${didYouMean(name, known, `there are ${listWords(known)}`)}`);
}
