import { setTimeout as wait } from 'node:timers/promises';
import { describeRun, findRun } from '../../client/find-run';
import { hasEnded } from '../../client/follow-run';
import { readJournal } from '../../client/read-run';
import type { JournalEntry } from '../../plan/journal';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { concerns, renderEntry } from '../rendering/journal';
import { openStore, readContent } from '../store';
import { withSession } from '../with-session';

const FOLLOW_MS = 500;

/** Envelopes, decisions, signals and states in order. `--follow` goes on until the run ends; with `--json`, an entry a line. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [json, following, step] = [options.flag('json'), options.flag('follow'), options.text('step')];
  return withSession(invocation, following ? 'worker' : 'answers', async ({ client, configuration }) => {
    const { run } = await findRun(client, args[0] ?? '');
    const store = openStore(configuration.stateDir.value);
    const read = async (after: number): Promise<JournalEntry[]> => readJournal(client, run, (ref) => readContent(store, ref), after);
    const wanted = (entries: readonly JournalEntry[]): JournalEntry[] =>
      entries.filter((entry) => step === undefined || concerns(entry, step));
    const print = (entries: readonly JournalEntry[]): void => {
      for (const entry of wanted(entries)) terminal.out(json ? `${JSON.stringify(entry)}\n` : `${renderEntry(entry, terminal.colors)}\n`);
    };
    if (!following) {
      const entries = await read(0);
      if (json) terminal.out(`${JSON.stringify({ run, entries: wanted(entries) }, null, 2)}\n`);
      else print(entries);
      return EXIT.done;
    }
    for (let after = 0; !terminal.interrupted.aborted; ) {
      // Asked first: what is written until the end is then in what is read after it.
      const summary = await describeRun(client, run);
      const entries = await read(after);
      print(entries);
      after = entries.at(-1)?.seq ?? after;
      if (summary === undefined || hasEnded(summary.state)) return EXIT.done;
      await wait(FOLLOW_MS, undefined, { signal: terminal.interrupted }).catch(() => undefined);
    }
    return EXIT.detached;
  });
}
