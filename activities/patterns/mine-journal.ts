import { isAlwaysLast, isContainer } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import type { MinedJournal, MineJournalInput } from '../../plan/memory/post-mortem-activities';
import { type MemorySpec, MOST_MEMORY_BYTES, recall } from '../../plan/memory/recall';
import { isNotable, minedExecution, mineEntry, openMining } from '../../plan/patterns/execution';
import type { MinedRun } from '../../plan/patterns/post-mortem';
import { ThermidorFailure } from '../../plan/run/failure';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import { readJournalPage } from '../../records/journal/journal-pages';
import { type ActivityCall, requireAddress } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';

/**
 * Mines the journal of a run, page by page. A page that the store does not have is left out, and the result says so. Repeating it is
 * harmless.
 *
 * Fails with `output.too-large`, `store.unavailable`.
 */
export function mineJournal(toolbox: Toolbox, call: ActivityCall, input: MineJournalInput): Promise<MinedJournal> {
  return withHeartbeat(
    call,
    () => 0,
    () => mined(toolbox, call, input),
  );
}

async function mined(toolbox: Toolbox, call: ActivityCall, { pages, leftOut = 0, end }: MineJournalInput): Promise<MinedJournal> {
  const { artifacts } = toolbox;
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress(call));
  const mining = openMining((path) => isTask(run, path));
  const partial = run.record.carried ? ['what the run before this one has done is in its own journal'] : [];
  if (leftOut > 0) partial.push(`the first ${leftOut} entries of the journal are left out`);
  for (const { fromSeq, toSeq, sha256 } of pages) {
    call.signal.throwIfAborted();
    const entries = await unlessMissing(() => readJournalPage(artifacts, { sha256 }));
    if (entries === undefined) partial.push(`entries ${fromSeq} to ${toSeq} of the journal are not in the store`);
    for (const entry of entries ?? []) mineEntry(mining, entry);
  }
  const execution = minedExecution(mining);
  const { state, error, failedStep } = end;
  const file = 'files' in step ? step.files.memory : undefined;
  const memory = file === undefined ? undefined : await entriesIn(toolbox, file, run.plan.memory);
  const found: MinedRun = { end: { state, ...defined({ error, failed_step: failedStep }) }, ...execution, partial, ...defined({ memory }) };
  const artifact = await artifacts.put(JSON.stringify(found, null, 2), {
    mediaType: 'application/json',
    name: `${step.id}.execution.json`,
  });
  return { artifact, notable: isNotable(execution.execution_summary, state), agents: execution.agents.map(({ agent }) => agent) };
}

/** Whether a step is work of its own: neither a container, nor a step with parts, nor the post-mortem. */
function isTask({ steps }: LoadedRun, path: string): boolean {
  const address = parseAddress(path);
  const around = address?.path.flatMap(({ id }) => steps.get(id) ?? []);
  if (!address || !around || around.some(isAlwaysLast)) return false;
  const step = steps.get(stepIdOf(address));
  return step !== undefined && !isContainer(step) && !('parts' in step);
}

/**
 * The entries that agents are given, so that they can say which have held. A memory that cannot be read is no memory here: writing to it
 * reports why.
 */
async function entriesIn({ sharedFiles, log }: Toolbox, file: string, given: MemorySpec | undefined): Promise<MinedRun['memory']> {
  try {
    const text = await sharedFiles.read(file, MOST_MEMORY_BYTES);
    return text === undefined ? undefined : recall(text, given?.file === file ? given : {}).entries;
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    log('warn', 'a memory file cannot be read', { file, problem: error.message });
    return undefined;
  }
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
