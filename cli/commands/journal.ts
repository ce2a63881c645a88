import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ThermidorClient } from '../../client/connect';
import { describeRun, findRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { sleep } from '../../client/pause';
import { journalPages } from '../../client/read-journal';
import { isTransient } from '../../client/server-error';
import type { JournalEntry } from '../../plan/run/journal';
import { jsonText } from '../../plan/text/json-text';
import { shellWord } from '../../plan/text/shell-word';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { ConnectionLoss } from '../following/connection-loss';
import { fitsFilter, type JournalFilter, readJournalFilter } from '../journal-filter';
import { printWhole } from '../print-whole';
import { renderEntry } from '../rendering/journal';
import { renderEmpty } from '../rendering/text/empty';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';

const FOLLOW_MS = 500;

/**
 * Prints envelopes, decisions, signals and states in order, a page in memory at a time. `--follow` continues until the run ends; with
 * `--json`, one entry a line. `--export` writes them to a file, one entry a line, completely or not at all.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [json, following, file] = [options.flag('json'), options.flag('follow'), options.text('export')];
  if (following && file !== undefined) throw usage('--export writes existing entries: it cannot be combined with --follow');
  const filter = readJournalFilter(options, Date.now());
  const find = (client: ThermidorClient) => findRun(client, args[0] ?? '');
  return withSession(invocation, { need: following ? 'worker' : 'answers', first: find }, async (session) => {
    const { client, configuration } = session;
    const { run } = await find(client);
    const store = recordsOf(configuration).artifacts;
    const pages = (after: number) => journalPages(client, run, store, after);
    if (file !== undefined) return exportTo(resolve(terminal.cwd, file), pages(filter.after), filter, run, invocation);
    if (!following) {
      if (json) await printWhole(run, 'entries', wantedTexts(pages(filter.after), filter), terminal);
      else {
        let any = false;
        for await (const page of pages(filter.after)) {
          any ||= page.some((entry) => fitsFilter(entry, filter));
          printPage(page, filter, terminal, false);
        }
        if (!any) terminal.err(renderEmpty('no such entries', 'see all with', `journal ${shellWord(run)}`, givenFlags(configuration)));
      }
      return EXIT.done;
    }
    const sight = new ConnectionLoss(session, (message) => terminal.err(`${terminal.colors.yellow('…')} ${message}\n`));
    for (let after = filter.after; !terminal.interrupted.aborted; ) {
      try {
        // The state is read first, so that what is written until the end is among the entries read after it.
        const summary = await describeRun(client, run);
        for await (const page of pages(after)) after = printPage(page, filter, terminal, json, after);
        sight.found();
        if (summary === undefined || hasEnded(summary.state)) return EXIT.done;
      } catch (error) {
        if (!isTransient(error)) throw error;
        sight.lost(error);
      }
      await sleep(FOLLOW_MS, terminal.interrupted);
    }
    return EXIT.detached;
  });
}

type Pages = AsyncIterable<JournalEntry[]>;

/** Returns the number of the last entry seen. */
function printPage(page: readonly JournalEntry[], filter: JournalFilter, { out, colors }: Terminal, json: boolean, after = 0): number {
  for (const entry of page) if (fitsFilter(entry, filter)) out(`${json ? jsonText(entry) : renderEntry(entry, colors)}\n`);
  return page.at(-1)?.seq ?? after;
}

async function* wantedTexts(pages: Pages, filter: JournalFilter): AsyncGenerator<string> {
  for await (const page of pages) for (const entry of page) if (fitsFilter(entry, filter)) yield jsonText(entry);
}

async function exportTo(
  path: string,
  pages: Pages,
  filter: JournalFilter,
  run: string,
  { options, terminal }: Invocation,
): Promise<number> {
  const beside = `${path}.${process.pid}.part`;
  let entries = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const page of pages) {
      const wanted = page.filter((entry) => fitsFilter(entry, filter));
      entries += wanted.length;
      if (wanted.length > 0) yield wanted.map((entry) => `${jsonText(entry)}\n`).join('');
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(beside));
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw isSystemError(error) ? new CommandFailure(EXIT.usage, 'export.unwritable', `${path} cannot be written: ${error.message}`) : error;
  }
  if (options.flag('json')) terminal.out(`${JSON.stringify({ run, file: path, entries }, null, 2)}\n`);
  else terminal.out(`${entries} entries of ${run}: ${path}\n`);
  return EXIT.done;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
