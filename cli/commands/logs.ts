import type { ThermidorClient } from '../../client/connect';
import { describeRun, findRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { sleep } from '../../client/pause';
import { readLiveRun } from '../../client/read-live-run';
import { defined } from '../../plan/defined';
import type { RunView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import { shellWord } from '../../plan/text/shell-word';
import type { RunKey } from '../../records/ledger';
import { loggedStep } from '../../records/logs/child-logs';
import { chooseLogs, type LogChoice, namedLogs } from '../../records/logs/choose-logs';
import { type LogReading, linesInOrder, type PrintedLine, startLogReading, unfinished } from '../../records/logs/printed-lines';
import { LOGS_REMOVED } from '../../records/run-retention';
import { newestRun } from '../../records/runs/list-runs';
import type { LogWatch, StepLogs } from '../../records/step-logs';
import type { Invocation } from '../command';
import { findRunOfFolder } from '../costs/find-run';
import { CommandFailure, EXIT } from '../exit';
import { grepLines, openSearch } from '../logs/grep-lines';
import { printWhole } from '../print-whole';
import { pathOfStep } from '../rendering/step-tree';
import { renderEmpty } from '../rendering/text/empty';
import { renderPrinted } from '../rendering/text/printed-line';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** Between two looks at the run; and at its logs, unless the store tells of new lines. */
const FOLLOW_MS = 300;
/** Between two looks at logs, however soon the store tells of lines. */
const SOONEST_MS = 100;

/**
 * Prints the output of commands and agents' programs from the state folder; only following needs a server. `--follow` continues until the
 * run, or the step, has ended; with `--json`, one document a line.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [asked, wanted] = [args[1], options.number('try', 1)];
  const pattern = options.text('grep');
  if (pattern !== undefined) await openSearch(pattern, terminal.interrupted).close();
  const records = recordsOf(configurationOf(invocation));
  const { logs } = records;
  const requestFor = (step: string | undefined): Request => {
    const choice: LogChoice = defined({ step, try: wanted });
    return { logs, choice, invocation, ...defined({ pattern }) };
  };
  if (options.flag('follow')) {
    const find = (client: ThermidorClient) => findRun(client, args[0] ?? '');
    return withSession(invocation, { need: 'worker', first: find }, async (session) => {
      const found = await find(session.client);
      const { run, step } = await loggedStep(records, found.run, asked);
      return await follow(requestFor(step), session, run, () => newestRun(records, run));
    });
  }
  const { run, step } = await loggedStep(records, await findRunOfFolder(records.ledger, await records.runs.list(), args[0] ?? ''), asked);
  const request = requestFor(step);
  const key = await newestRun(records, run);
  const found = key ? namedLogs(await logs.list(key)) : [];
  const chosen = chooseLogs(found, request.choice);
  if (key && found.length === 0 && (await records.ledger.get(key, LOGS_REMOVED)) !== undefined) throw logsRemoved(run);
  if (chosen.length === 0 && step !== undefined) throw nothingKept(run, step, wanted, found);
  const readings = chosen.map(startLogReading);
  const lines = key ? wanting(request, linesOnce(logs, key, readings)) : none();
  if (options.flag('json')) await printWhole(run, 'lines', jsonTexts(lines), terminal);
  else if (!(await printLines(lines, chosen.length > 1 || step === undefined, request))) {
    const all = step === undefined ? `logs ${shellWord(run)}` : `logs ${shellWord(run)} ${shellWord(step)}`;
    if (pattern === undefined)
      terminal.err(renderEmpty(`${run} has printed nothing so far`, 'see its steps with', `status ${shellWord(run)}`));
    else terminal.err(renderEmpty('no line matches', 'see all with', all));
  }
  return EXIT.done;
}

interface Request {
  logs: StepLogs;
  choice: LogChoice;
  pattern?: string;
  invocation: Invocation;
}

async function follow(request: Request, { client }: Session, run: string, keyOf: () => Promise<RunKey | undefined>): Promise<number> {
  const { logs, choice, invocation } = request;
  const { interrupted } = invocation.terminal;
  const readings = new Map<string, LogReading>();
  const printNew = async (key: RunKey, isOver: boolean): Promise<void> => {
    const chosen = chooseLogs(namedLogs(await logs.list(key)), choice);
    const current = chosen.map((log) => {
      const reading = readings.get(log.name) ?? startLogReading(log);
      readings.set(log.name, reading);
      return reading;
    });
    const among = choice.step === undefined || chosen.length > 1;
    await printLines(wanting(request, isOver ? linesOnce(logs, key, current) : linesInOrder(logs, key, current)), among, request);
  };
  let key: RunKey | undefined;
  let watch: LogWatch | undefined;
  try {
    while (!interrupted.aborted) {
      // The state is read first, so that what is printed until the end is among the lines read after it.
      const isOver = await hasStopped(client, run, choice.step);
      key ??= await keyOf();
      watch ??= key && logs.watch?.(key);
      if (key && ((watch?.takeNews() ?? true) || isOver)) await printNew(key, isOver);
      if (isOver) return EXIT.done;
      const looked = sleep(watch ? SOONEST_MS : FOLLOW_MS, interrupted);
      await Promise.all([looked, watch?.wait(FOLLOW_MS, interrupted)]);
    }
    return EXIT.detached;
  } finally {
    await watch?.close();
  }
}

const UNDER_WAY: ReadonlySet<StepState> = new Set<StepState>(['pending', 'running', 'waiting', 'held']);

async function hasStopped(client: Session['client'], run: string, step: string | undefined): Promise<boolean> {
  const summary = await describeRun(client, run);
  if (summary === undefined || hasEnded(summary.state)) return true;
  if (step === undefined) return false;
  const view = await readLiveRun(client, run).catch((): RunView | undefined => undefined);
  const steps = view?.steps.filter((one) => one.id === step || pathOfStep(one) === step.replace(/[#~].*$/, '')) ?? [];
  return steps.length > 0 && !steps.some(({ state }) => UNDER_WAY.has(state));
}

async function* none(): AsyncGenerator<PrintedLine> {}

/** The lines up to the end of the logs as they are now. */
async function* linesOnce(logs: StepLogs, key: RunKey, readings: readonly LogReading[]): AsyncGenerator<PrintedLine> {
  yield* linesInOrder(logs, key, readings);
  for (const reading of readings) yield* unfinished(reading);
}

function wanting({ pattern, invocation }: Request, lines: AsyncGenerator<PrintedLine>): AsyncGenerator<PrintedLine> {
  return pattern === undefined ? lines : grepLines(lines, pattern, invocation.terminal.interrupted);
}

/** Whether there were any. */
async function printLines(lines: AsyncIterable<PrintedLine>, among: boolean, { invocation }: Request): Promise<boolean> {
  const { options, terminal } = invocation;
  const json = options.flag('json');
  let any = false;
  for await (const line of lines) {
    any = true;
    terminal.out(`${json ? JSON.stringify(line) : renderPrinted(line, among, terminal.colors)}\n`);
  }
  return any;
}

async function* jsonTexts(lines: AsyncIterable<PrintedLine>): AsyncGenerator<string> {
  for await (const line of lines) yield JSON.stringify(line);
}

function logsRemoved(run: string): CommandFailure {
  return new CommandFailure(
    EXIT.failed,
    'logs.removed',
    `the logs of ${run} were removed: they were older than \`retention.logs\` allows`,
    {
      hint: `its outputs and conversations are still there: thermidor show ${shellWord(run)}`,
    },
  );
}

const NAMED = 10;

function nothingKept(run: string, step: string, wanted: number | undefined, found: ReturnType<typeof namedLogs>): CommandFailure {
  const names = found.map(({ shown }) => shown);
  const more = names.length > NAMED ? `, … (${names.length} in all)` : '';
  const logs = names.length === 0 ? 'the run has no logs here' : `logs: ${names.slice(0, NAMED).join(', ')}${more}`;
  const which = wanted === undefined ? '' : `, try ${wanted}`;
  return new CommandFailure(EXIT.failed, 'logs.none', `no log of step "${step}"${which} of run "${run}" is in this store`, {
    hint: `${logs}; a step that prints nothing has none; an agent's conversation is in: thermidor show ${run} ${step} --transcript`,
  });
}
