import { journalPages } from '../../client/read-journal';
import { didYouMean } from '../../compiler/diagnostics/suggest';
import { firstIteration } from '../../kinds/questions';
import { asText } from '../../plan/expressions/evaluate';
import type { JournalEntry } from '../../plan/run/journal';
import type { RoundView, RunView, StepView } from '../../plan/run/status';
import { type Address, formatPath, parseAddress, stepIdOf } from '../../plan/steps/address';
import { callIdAt } from '../../plan/steps/call-address';
import { duration } from '../../plan/text/duration';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { shellWord } from '../../plan/text/shell-word';
import { copyField, numberAt, setSpelled } from '../../plan/text/spelled-json';
import { loggedStep } from '../../records/logs/child-logs';
import { locateOutput } from '../../records/read-content';
import { recordedLines } from '../../records/transcripts/transcript-log';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { happenedAt, isPast, whatThereIs } from '../past-step';
import { renderEntry } from '../rendering/journal';
import { stepStateText, verdictWord } from '../rendering/states';
import { pathOfStep } from '../rendering/step-tree';
import { renderEmpty } from '../rendering/text/empty';
import { manyLines, oneLine } from '../rendering/text/printable';
import { bytes, renderUsage } from '../rendering/text/usage';
import { renderTranscriptLine } from '../rendering/transcript';
import type { Session } from '../session/session';
import { shownContent } from '../session/shown-content';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import { currentView } from './status';

interface Shown {
  run: string;
  step: StepView;
  round: RoundView;
  path?: string;
  output?: Json;
  transcript?: Json[];
  /** Secrets that the output is shown with. */
  unmasked?: readonly string[];
}

/** A step of a turn that is over: the run no longer has its record, but the ledger has what was said, and the journal what happened. */
interface Past {
  run: string;
  address: string;
  /** With `--transcript`. */
  transcript?: Json[];
  /** Else, oldest first. */
  journal?: JournalEntry[];
  /** An agent has said something there. */
  hasTranscript?: true;
}

/** Shows one round of one step: its output, the output's path, its cost, and what was said. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const shown = await withSession(invocation, 'answers', (session) => shownAt(session, args, options));
  if ('address' in shown) {
    if (options.flag('json')) terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    else printPast(shown, terminal);
  } else if (options.flag('json')) {
    const { step, round, unmasked, ...rest } = shown;
    const { superseded: _earlier, ...current } = step;
    const whole = { ...current, ...round, ...rest };
    if (rest.output !== undefined) copyField(shown, 'output', whole);
    terminal.out(`${jsonText(whole, { step: '  ', long: 'quoted' })}\n`);
  } else print(shown, terminal);
  if ('unmasked' in shown && shown.unmasked)
    terminal.err(`${shown.unmasked.join(', ')} cannot be resolved here, so these secrets are not masked in the output\n`);
  return EXIT.done;
}

async function shownAt(session: Session, [given, named = '']: readonly string[], options: Invocation['options']): Promise<Shown | Past> {
  const outer = await currentView(session, given ?? '');
  const records = recordsOf(session.configuration);
  // The step that runs a child is the parent's: what is in the child has an address within it.
  const within = named.includes('/') ? await loggedStep(records, outer.run, named) : { run: outer.run };
  const isInChild = within.step !== undefined && within.run !== outer.run;
  const view = isInChild ? await currentView(session, within.run) : outer;
  const address = (isInChild ? within.step : undefined) ?? named;
  const saidAt = async (at: string): Promise<Json[]> =>
    (await recordedLines(records.ledger, { workflowId: view.run, run: view.firstRunId }, callIdAt(at))).map(({ line }) => line);
  let wasSaid = false;
  if (isPast(view, address)) {
    const said = await saidAt(address);
    wasSaid = said.length > 0;
    if (wasSaid && options.flag('transcript')) return { run: view.run, address, transcript: said };
    const { entries, places } = await happenedAt(address, journalPages(session.client, view.run, records.artifacts));
    if (entries.length > 0) return { run: view.run, address, journal: entries, ...(wasSaid ? { hasTranscript: true } : {}) };
    const missing = wasSaid ? undefined : whatThereIs(view, address, places);
    if (missing !== undefined) throw usage(`run "${view.run}" has no step "${address}"`, missing);
  }
  const { step, round } = findRound(view, address, options.number('round', 1), wasSaid);
  const found: Shown = { run: view.run, step, round };
  if (round.artifact !== undefined) {
    const path = await locateOutput(records, view.run, round.address, round.artifact);
    if (path !== undefined) found.path = path;
    const { read, missing } = await shownContent(records, view);
    setSpelled(found, 'output', await read(round.artifact));
    if (missing.length > 0) found.unmasked = missing;
  }
  if (options.flag('transcript')) found.transcript = await saidAt(round.address);
  return found;
}

/**
 * The round that a step's id, its address (`converge#1`, `each[3]/lint`) or `--round` names. Fails with exit 2 if there is none; `wasSaid`:
 * the ledger has what an agent has said there.
 */
export function findRound(view: RunView, given: string, asked: number | undefined, wasSaid = false): { step: StepView; round: RoundView } {
  if (wasSaid)
    throw usage(
      `"${given}" of run "${view.run}" is over`,
      `what was said there: thermidor show ${view.run} ${shellWord(given)} --transcript`,
    );
  const address = parseAddress(given);
  const step = findStep(view, given, address);
  const number = asked ?? (given.includes('#') ? address?.round : undefined);
  const round = number === undefined || number === step.round ? step : step.superseded?.findLast((earlier) => earlier.round === number);
  if (round === undefined) throw usage(`step "${pathOfStep(step)}" has no round ${number}`, `rounds: 1 to ${step.round}`);
  const again = given.includes('~') ? address?.try : undefined;
  if (again === undefined || again === round.try) return { step, round };
  if (again > round.try) throw usage(`step "${pathOfStep(step)}" has no try ${again}`, `tries: 1 to ${round.try}`);
  const printed = `what it printed: thermidor logs ${view.run} ${shellWord(given)}`;
  throw usage(`try ${again} of step "${pathOfStep(step)}" is over, and the last one is try ${round.try}`, printed);
}

const NAMED = 10;

/** The step at an address, or with an id that only one step has; in a loop, several iterations may have it. */
function findStep(view: RunView, given: string, address: Address | undefined): StepView {
  const place = address === undefined ? given : formatPath(address.path);
  const exact = view.steps.find((candidate) => pathOfStep(candidate) === place);
  if (exact !== undefined) return exact;
  const id = address === undefined ? given : stepIdOf(address);
  const [only, ...others] = address !== undefined && address.path.length > 1 ? [] : view.steps.filter((candidate) => candidate.id === id);
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) {
    const places = [only, ...others].map(pathOfStep);
    const more = places.length > NAMED ? `, … (${places.length} in all)` : '';
    throw usage(`step "${given}" runs in several places of run "${view.run}"`, `name one: ${places.slice(0, NAMED).join(', ')}${more}`);
  }
  const ids = [...new Set(view.steps.map((candidate) => candidate.id))];
  const loops = view.steps.filter((candidate) => (candidate.iterations?.done ?? 0) > 0);
  const [loop] = loops;
  const finished =
    loop === undefined
      ? ''
      : `; finished iterations are in the output of ${loops.map(pathOfStep).join(', ')}; an agent's conversation in one: thermidor show ${view.run} '${pathOfStep(loop)}[${firstIteration(loop)}]/STEP' --transcript`;
  throw usage(`run "${view.run}" has no step "${given}"`, didYouMean(id, ids, `steps: ${ids.join(', ')}${finished}`));
}

function print(shown: Shown, { out, err, colors }: Terminal): void {
  const { run, step, round, path, output, transcript } = shown;
  const who = step.agent ?? step.kind;
  out(`${colors.bold(round.address)}  ${stepStateText(round.state, colors)}  ${colors.dim(who)}\n`);
  const fact = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') out(`${colors.dim(`${name}:`.padEnd(10))} ${value}\n`);
  };
  if (round.startedAt !== undefined && round.endedAt !== undefined) {
    fact('time', duration(Date.parse(round.endedAt) - Date.parse(round.startedAt)));
  }
  fact('adapter', round.adapter);
  fact('usage', round.usage && renderUsage(round.usage));
  fact('verdict', round.verdict && `${verdictWord(round.verdict.verdict, colors)}  ${oneLine(round.verdict.summary ?? '')}`);
  fact(
    'decision',
    step.decision && `${step.decision.choice} by ${oneLine(step.decision.by ?? 'nobody named')}  ${oneLine(step.decision.comment ?? '')}`,
  );
  fact('turns', step.iterations && `${step.iterations.done} of ${step.iterations.total} done`);
  fact('run', step.child);
  fact('error', round.error && `${round.error.code}: ${oneLine(round.error.message)}`);
  fact('artifact', round.artifact && `${round.artifact.name ?? ''}  ${bytes(round.artifact.sizeBytes)}  sha256 ${round.artifact.sha256}`);
  fact('path', path);
  fact('earlier', step.superseded?.map((earlier) => `round ${earlier.round}`).join(', '));
  if (output !== undefined && transcript === undefined) out(`\n${manyLines(asText(numberAt(shown, 'output') ?? output, 'indented'))}\n`);
  if (transcript) printTranscript(transcript, { out, colors });
  if (transcript?.length === 0)
    err(
      renderEmpty(`${round.address} has no transcript`, 'see what it printed with', `logs ${shellWord(run)} ${shellWord(round.address)}`),
    );
}

/** A question is shown as a whole, each other entry in a line. */
function printPast({ run, address, transcript, journal = [], hasTranscript }: Past, terminal: Terminal): void {
  const { out, err, colors } = terminal;
  if (transcript) {
    printTranscript(transcript, terminal);
    return;
  }
  for (const entry of journal) {
    const { question, ...rest } = { question: undefined, ...entry };
    out(`${renderEntry(rest, colors)}\n`);
    if (question !== undefined) out(`\n${manyLines(question)}\n\n`);
  }
  if (hasTranscript) err(`what was said there: thermidor show ${shellWord(run)} ${shellWord(address)} --transcript\n`);
}

function printTranscript(lines: readonly Json[], { out, colors }: Pick<Terminal, 'out' | 'colors'>): void {
  for (const line of lines) out(`\n${renderTranscriptLine(line, colors)}`);
}
