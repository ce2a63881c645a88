import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../plan/defined';
import { field, type Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { ACCOUNT } from '../accounts/account-log';
import type { CostGroup, Paid } from '../accounts/sum';
import type { EndedIndex, EndedQuery, KnownCosts } from '../ended-index';
import type { RunKey } from '../ledger';
import type { ListedRun } from '../run-index';
import { chooseEnds, knownCost } from '../runs/choose-ends';
import { ENDED_LOG } from '../runs/ended-run';
import { type EndedCost, type ListedEnd, readEndedCost, readListedEnd } from '../runs/listed-end';
import { asJson } from '../stored-json';
import { namesIn, onDisk, readIfThere, replaceFile, unlessGone } from './durable-file';
import { checkFolderIdentity, markFolder } from './folder-identity';
import { LedgerFiles } from './ledger-files';
import { ledgerPaths } from './ledger-paths';
import { appendLines } from './log-file';
import { wholeLines } from './log-lines';
import { RunFolders } from './run-folders';
import { scratchOf } from './state-layout';

/** A file for each day has the ends of that day, and another one what these runs cost. */
const ENDS = '.jsonl';
const COSTS = '.costs.jsonl';

/** Runs that are looked at, at once. */
const AT_ONCE = 64;

/** The ends of runs on a directory, next to their logs: a page of a list reads the files of its days alone. */
export class EndedFiles implements EndedIndex {
  private readonly root: string;
  private readonly folder: string;
  private readonly ledger: LedgerFiles;
  private readonly runs: RunFolders;

  constructor(stateDir: string) {
    const { ledger, ended } = ledgerPaths(stateDir);
    this.root = ledger;
    this.folder = ended;
    this.ledger = new LedgerFiles(stateDir);
    this.runs = new RunFolders(stateDir);
  }

  async note(end: ListedEnd, cost?: EndedCost): Promise<void> {
    const { run: workflowId, firstRun: run } = end;
    const path = join(this.folder, dayOf(end.endedAt));
    await this.onDisk(async () => {
      await markFolder(this.root);
      if (cost) await appendLines(`${path}${COSTS}`, [asJson({ workflowId, run, ...cost })]);
      await appendLines(`${path}${ENDS}`, [asJson(end)]);
    });
  }

  async list(query: EndedQuery): Promise<ListedEnd[]> {
    const { by, after, limit = Number.POSITIVE_INFINITY, ...fitting } = query;
    const found: ListedEnd[] = [];
    const days = (await this.days(ENDS)).reverse().filter((day) => after === undefined || day <= dayOf(after.endedAt));
    // The order of starts is known once all days are read.
    for (const some of by === 'endedAt' ? days.map((day) => [day]) : [days]) {
      const ends = (await Promise.all(some.map((day) => this.endsOf(day)))).flat();
      const chosen = chooseEnds(ends, { ...fitting, by, ...defined({ after }) });
      for (let at = 0; at < chosen.length && found.length < limit; at += AT_ONCE) {
        const next = chosen.slice(at, Math.min(at + AT_ONCE, at + limit - found.length));
        const counts = await Promise.all(next.map((end) => this.isLast(end)));
        found.push(...next.filter((_, n) => counts[n]));
      }
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Whether the run has neither ended again since, nor another had its id: that may be in the file of a later day. */
  private async isLast(end: ListedEnd): Promise<boolean> {
    const others = await this.runs.runsOf(end.run);
    const lines = await Promise.all(others.map((key) => this.ledger.lines(key, ENDED_LOG)));
    return !lines.some((ends, at) => {
      const isOwn = others[at]?.run === end.firstRun;
      return ends.some((line) => (isOwn ? isLater(line, 'endedAt', end) : isLater(line, 'startedAt', end)));
    });
  }

  async costs(_groups: readonly CostGroup[], sinceMs = 0): Promise<KnownCosts> {
    const noted = await this.notedCosts();
    const [paid, left]: [Paid[], RunKey[]] = [[], []];
    const judge = async ({ workflowId, run }: ListedRun): Promise<void> => {
      if (workflowId === undefined) return;
      const key = { workflowId, run };
      const extent = await this.runs.extent(key, [ACCOUNT]);
      const known = extent === 0 ? [] : knownCost(noted.get(keyText(key)), extent, sinceMs);
      if (known) paid.push(...known);
      else left.push(key);
    };
    const runs = await this.runs.list();
    for (let at = 0; at < runs.length; at += AT_ONCE) await Promise.all(runs.slice(at, at + AT_ONCE).map(judge));
    return { paid, left };
  }

  /** Each run once, with its last end and what it cost, as far as that is known. */
  async *every(): AsyncGenerator<{ end: ListedEnd; cost?: EndedCost }> {
    const costs = await this.notedCosts();
    const last = new Map<string, ListedEnd>();
    for (const day of await this.days(ENDS)) for (const end of await this.endsOf(day)) last.set(keyOfEnd(end), end);
    for (const [key, end] of last) {
      const cost = costs.get(key);
      const isKnown = cost?.extent === (await this.runs.extent({ workflowId: end.run, run: end.firstRun }, [ACCOUNT]));
      yield { end, ...(cost && isKnown ? { cost } : {}) };
    }
  }

  /** Forgets all others of earlier days. What is added to a day meanwhile stays. */
  async forgetOthers(before: string, kept: ReadonlySet<string>): Promise<void> {
    for (const ending of [ENDS, COSTS]) {
      for (const day of (await this.days(ending)).filter((one) => one < dayOf(before))) {
        const path = join(this.folder, `${day}${ending}`);
        await this.onDisk(async () => {
          const text = (await readIfThere(path))?.toString('utf8') ?? '';
          const lines = text.split('\n').filter((line) => line !== '' && kept.has(keyOfLine(line)));
          if (lines.join('\n') === text.trimEnd() || (await unlessGone(() => stat(path)))?.size !== Buffer.byteLength(text)) return;
          if (lines.length === 0) await rm(path, { force: true });
          else await replaceFile({ path, scratch: scratchOf(this.root) }, `${lines.join('\n')}\n`);
        });
      }
    }
  }

  /** A run that ended several times on the day is there once, with its last end. */
  private async endsOf(day: string): Promise<ListedEnd[]> {
    const last = new Map<string, ListedEnd>();
    for (const line of await this.linesOf(`${day}${ENDS}`)) {
      const end = readListedEnd(line);
      if (end && (last.get(keyOfEnd(end))?.endedAt ?? '') <= end.endedAt) last.set(keyOfEnd(end), end);
    }
    return [...last.values()];
  }

  private async notedCosts(): Promise<Map<string, EndedCost | undefined>> {
    const noted = new Map<string, EndedCost | undefined>();
    for (const day of await this.days(COSTS)) {
      for (const line of await this.linesOf(`${day}${COSTS}`)) {
        const [workflowId, run] = [field(line, 'workflowId'), field(line, 'run')];
        if (typeof workflowId !== 'string' || typeof run !== 'string') continue;
        noted.set(keyText({ workflowId, run }), readEndedCost(line, { workflowId, run }));
      }
    }
    return noted;
  }

  private async days(ending: string): Promise<string[]> {
    const names = await this.onDisk(() => namesIn(this.folder));
    return names.flatMap((name) => (name === `${dayOf(name)}${ending}` ? [dayOf(name)] : [])).sort();
  }

  private async linesOf(name: string): Promise<Json[]> {
    const text = await this.onDisk(() => readIfThere(join(this.folder, name)));
    if (text === undefined) checkFolderIdentity(this.root);
    return text === undefined ? [] : wholeLines(text.toString('utf8'));
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the index of ended runs', this.folder, work);
  }
}

/** A line that cannot be read says nothing. */
function isLater(line: Json, moment: 'startedAt' | 'endedAt', end: ListedEnd): boolean {
  const at = field(line, moment);
  return typeof at === 'string' && at > end[moment];
}

function dayOf(moment: string): string {
  return moment.slice(0, 'YYYY-MM-DD'.length);
}

function keyOfEnd({ run, firstRun }: ListedEnd): string {
  return keyText({ workflowId: run, run: firstRun });
}

/** A line that cannot be read is nobody's. */
function keyOfLine(line: string): string {
  const read = jsonIn(line);
  const [run, workflowId, first] = [field(read, 'run'), field(read, 'workflowId'), field(read, 'firstRun')];
  return typeof first === 'string' ? `${run}\n${first}` : `${workflowId}\n${run}`;
}

export function keyText({ workflowId, run }: RunKey): string {
  return `${workflowId}\n${run}`;
}
