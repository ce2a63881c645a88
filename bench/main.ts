import { createColors } from 'picocolors';
import { defined } from '../plan/defined';
import { agents } from './agents/agents';
import { BenchUsage, helpText, readBenchArguments } from './arguments';
import { type Bench, Interrupted, TRUSTED_ROUNDS } from './bench';
import { board } from './board/board';
import { compile } from './compile/compile';
import type { Figure } from './figure';
import { lobster } from './lobster/lobster';
import { overhead } from './overhead/overhead';
import { patterns } from './patterns/patterns';
import { queue } from './queue/queue';
import { figureTable, jsonLines } from './report';
import { scale } from './scale/scale';
import { start } from './start/start';
import { store } from './store/store';
import { teams } from './teams/teams';
import { waiting } from './waiting/waiting';

/**
 * Entry point of `npm run bench`. Figures go to stdout and everything else to stderr. It measures and does not judge: the exit code is 0
 * whether aims are met or not, 1 if something could not be measured, 2 for a wrong command line, 130 after Ctrl-C.
 */
const BENCHES: readonly Bench[] = [overhead, compile, start, lobster, waiting, agents, scale, queue, teams, board, patterns, store];

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function main(argv: readonly string[]): Promise<void> {
  const { wanted, json, help, rounds, memory, address, profileDir } = readBenchArguments(argv, BENCHES);
  if (help) {
    process.stdout.write(helpText(BENCHES));
    return;
  }
  if (rounds < TRUSTED_ROUNDS) say(`medians of ${rounds} only: for trying, not for comparing`);
  const figures: Figure[] = [];
  for (const { bench, cases } of wanted) {
    figures.push(...(await bench.measure({ cases, rounds, memory, say, ...defined({ address, profileDir }) })));
  }
  process.stdout.write(json ? jsonLines(figures) : figureTable(figures, createColors(process.stdout.isTTY === true)));
}

function report(error: unknown): void {
  process.exitCode = error instanceof BenchUsage ? 2 : error instanceof Interrupted ? 130 : 1;
  if (error instanceof BenchUsage) say(`${error.message}\n\n${helpText(BENCHES)}`);
  else if (!(error instanceof Interrupted)) say(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

main(process.argv.slice(2))
  .catch(report)
  // Sockets of the Temporal client may linger after they were closed; output is flushed before the process ends.
  .finally(() => process.stdout.write('', () => process.exit()));
