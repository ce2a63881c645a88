import type { Address } from '../../plan/address';
import type { ArtifactRef } from '../../plan/artifact';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import type { CommandStep } from '../../plan/step';
import type { StepInput } from '../../plan/step-work';
import type { ArtifactStore } from '../../records/artifact-store';
import type { RecordLog } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import type { ActivityCall } from '../call';
import { requireApproval } from '../gates/approval-use';
import { requireFirst } from '../intents';
import type { CommandRequest, CommandResult, PreparedCommand } from '../ports';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { inputScope, type Readable } from '../run/scope';
import { layOut } from '../stored/lay-out';
import { forgetUnstored, produced } from '../storing';
import type { Toolbox } from '../toolbox';
import { chainLogs } from './chain-logs';
import { type ChainedResult, readChained, restore } from './chain-record';
import { commandOutput } from './command-output';
import { commandRequest, isFixed, surroundings } from './command-request';
import { lobsterWords } from './lobster-words';

/** A command of a chain: its address in full, and the input that its own activity would get. */
export interface ChainedCommand {
  id: string;
  address: Address;
  step: CommandStep;
  input: StepInput;
}

/** Commands of one activity, with what they share. */
export interface Chain {
  secrets: RunSecrets;
  isDone(command: ChainedCommand): boolean;
  /** From the ledger, or run now and recorded. Meanwhile what `next` needs is brought about, if that is known already. */
  result(command: ChainedCommand, next: ChainedCommand | undefined): Promise<ChainedResult>;
  /** Everything that was recorded is durable after this. */
  close(): Promise<void>;
}

/** An output up to this size is in its record too, so that nothing waits for the disk. */
const SMALL_BYTES = 4096;

export async function openChain(
  toolbox: Toolbox,
  { call, run, log, steps }: { call: ActivityCall; run: LoadedRun; log: string; steps: readonly ChainedCommand[] },
): Promise<Chain> {
  // What `command` recorded of these on its own; the log has what chains did.
  const alone = new Map<string, ChainedResult>();
  await Promise.all(
    steps.map(async ({ id }) => {
      const found: unknown = await toolbox.ledger.get(call.key, id);
      const nowMs = Date.now();
      if (found !== undefined) alone.set(id, { output: found as ChainedResult['output'], startedAtMs: nowMs, endedAtMs: nowMs });
    }),
  );
  const caller = await surroundings(toolbox, run);
  // The commands of a chain are in one block: they read the same end of the run, where they read one.
  const end = steps[0]?.input.end;
  const plain = await inputScope(toolbox, run, end ? { end } : {});
  const records = await toolbox.ledger.recordLog(call.key, log);
  await claimMissing(
    records,
    steps.map(({ id }) => id).filter((id) => !alone.has(id)),
    call.scheduledAtMs,
  );
  const batch = toolbox.artifacts.batch();
  // Small, and without a secret that the ledger must not hold.
  const mayBeRecorded = (text: string) => Buffer.byteLength(text) <= SMALL_BYTES && plain.secrets.mask(text) === text;
  const put: ArtifactStore['put'] = (content, as) =>
    typeof content === 'string' && mayBeRecorded(content) ? batch.put(content, as) : toolbox.artifacts.put(content, as);
  const own = new Map<string, ArtifactRef>();
  const laidOut: Promise<void>[] = [];
  const ready = new Ready(toolbox);
  const logs = chainLogs(toolbox, call);

  async function perform(command: ChainedCommand, next: ChainedCommand | undefined): Promise<ChainedResult> {
    const { step } = command;
    call.signal.throwIfAborted();
    const readable = withOwn(command, own);
    await requireApproval(toolbox, run, step, command.address, { ...command.input, ...readable });
    const scope = isFixed(step) ? plain : await inputScope(toolbox, run, readable);
    const request = commandRequest(run, step, scope, caller);
    const execute = async (): Promise<Executed> => {
      requireFirst(step, await records.begin(command.id));
      if (records.get(command.id) !== undefined) return undefined;
      const startedAtMs = Date.now();
      const running = ready.run(command, () => logs.logged(command.id, request, scope.secrets), call.signal);
      if (next && isFixed(next.step) && !chain.isDone(next)) {
        ready.prepare(next, () => logs.logged(next.id, commandRequest(run, next.step, plain, caller), plain.secrets));
      }
      const { stdout } = await running.catch(async (error: unknown) => {
        // A reader that gets the failure finds its log whole.
        await logs.end(command.id);
        throw lobsterWords(run, step, request, error);
      });
      void logs.end(command.id);
      return { stdout, startedAtMs, endedAtMs: Date.now() };
    };
    const record = async (executed: Executed): Promise<ChainedResult> => {
      if (!executed) return requireResult(records.get(command.id));
      const { stdout, ...times } = executed;
      const output = await commandOutput(toolbox, { run, step, stdout, readable, secrets: scope.secrets }, put);
      const result: ChainedResult = { output, ...times, ...(mayBeRecorded(stdout) ? { text: stdout } : {}) };
      return readChained(await records.putIfAbsent(command.id, asJson(result))) ?? result;
    };
    const at = { ...call, id: command.id };
    const result = await produced(toolbox, at, execute, record);
    forgetUnstored(toolbox, at);
    return result;
  }

  const chain: Chain = {
    secrets: plain.secrets,
    isDone: ({ id }) => records.get(id) !== undefined || alone.has(id),
    async result(command, next) {
      const before = readChained(records.get(command.id)) ?? alone.get(command.id);
      if (before) await restore({ put }, before);
      const result = before ?? (await perform(command, next));
      const { artifact } = result.output;
      if (artifact) own.set(command.step.id, artifact);
      laidOut.push(layOut(toolbox, call.key.workflowId, command.address, artifact));
      return result;
    },
    async close() {
      ready.drop();
      try {
        await batch.sync();
        await Promise.all(laidOut);
        await logs.close();
      } finally {
        await records.close();
      }
    },
  };
  return chain;
}

/** Commands that are not done are this call's from here on. */
async function claimMissing(records: RecordLog, ids: readonly string[], scheduledAtMs: number | undefined): Promise<void> {
  const missing = ids.filter((id) => records.get(id) === undefined);
  if (missing.length === 0) return;
  try {
    await records.claim(missing, scheduledAtMs);
  } catch (error) {
    await records.close();
    throw error;
  }
}

/** What the command reads, and what those before it in the chain output: that was not there when the chain was scheduled. */
function withOwn({ step, input }: ChainedCommand, own: ReadonlyMap<string, ArtifactRef>): Readable {
  const read = new Set([...(step.inputs ?? []), ...(step.records ?? []).map((record) => record.step)]);
  const added = [...own].filter(([id]) => read.has(id));
  return added.length === 0 ? input : { ...input, inputs: { ...input.inputs, ...Object.fromEntries(added) } };
}

/** Undefined where another worker had done it by the time it was to begin here. */
type Executed = { stdout: string; startedAtMs: number; endedAtMs: number } | undefined;

function requireResult(recorded: Json | undefined): ChainedResult {
  const result = readChained(recorded);
  if (!result) throw new ThermidorFailure('store.unavailable', 'the record of a command in the ledger is damaged');
  return result;
}

/** At most one command that has been prepared ahead of its turn. */
class Ready {
  private waiting: { id: string; command: PreparedCommand } | undefined;

  constructor(private readonly toolbox: Toolbox) {}

  prepare({ id }: ChainedCommand, request: () => CommandRequest): void {
    const { processes } = this.toolbox;
    this.drop();
    try {
      if (processes.prepare) this.waiting = { id, command: processes.prepare(request()) };
    } catch {
      // What is wrong with it, it says when its turn comes.
      this.waiting = undefined;
    }
  }

  run({ id }: ChainedCommand, request: () => CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    if (this.waiting?.id !== id) return this.toolbox.processes.run(request(), signal);
    const { command } = this.waiting;
    this.waiting = undefined;
    return command.run(signal);
  }

  drop(): void {
    this.waiting?.command.drop();
    this.waiting = undefined;
  }
}
