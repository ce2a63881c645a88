import { EXIT } from '../exit';
import { inWords } from '../serving/unserved-agents';
import type { Terminal } from '../terminal';
import type { RunOrder } from './order';

/** Needs no server, no worker and no store: the order is checked as for a run, and then only printed. */
export function printDryRun({ compiled, configuration, args, id, script, unserved }: RunOrder, terminal: Terminal, json: boolean): number {
  const { dryRun } = require('../dry-run/dry-run') as typeof import('../dry-run/dry-run');
  const { renderDryRun } = require('../rendering/dry-run') as typeof import('../rendering/dry-run');
  const { plan, blobs } = compiled;
  const run = dryRun({
    plan,
    blobs,
    args,
    settings: configuration,
    ...(script === undefined ? {} : { script: script.script.name }),
    ...(id === undefined ? {} : { runId: id }),
  });
  run.problems.push(...unserved.map(inWords));
  terminal.out(json ? `${JSON.stringify(run, null, 2)}\n` : renderDryRun(run, terminal.colors));
  return EXIT.done;
}
