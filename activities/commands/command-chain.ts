import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ChainFailure } from '../../plan/steps/container-activities';
import type { Begins } from '../../plan/steps/step-activity';
import { field, type Json } from '../../plan/text/json';
import type { ArtifactStore } from '../../records/artifact-store';
import type { RecordLog } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import type { ActivityCall } from '../activity-call';
import { requireApproval } from '../gates/approved-action';
import { begunAgain, requireFirst } from '../intents';
import type { CommandRequest, CommandResult, PreparedCommand } from '../ports';
import { recordedFailure } from '../recorded-failure';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { inputScope } from '../run/template-scope';
import { forgetUnstored, noteProduced } from '../store-output';
import { publishOutput } from '../stored/publish-output';
import type { Toolbox } from '../toolbox';
import { type ChainedCommand, type ChainLink, isCommand, withOwn } from './chain-link';
import { chainLogs } from './chain-logs';
import { type ChainedResult, readChained, restore } from './chain-record';
import { commandOutput } from './command-output';
import { commandEnvironment, commandRequest, isFixed } from './command-request';
import { lobsterWords } from './lobster-arguments';
import { byOwnActivity } from './own-activity';

/** Steps of one activity, with their shared state. */
export interface CommandChain {
  secrets: RunSecrets;
  isDone(link: ChainLink): boolean;
  begins(link: ChainLink): Begins;
  /**
   * The result from the ledger, or done now and recorded. Meanwhile `next` is prepared, if it is known already. Undefined if the step's own
   * activity has to do it.
   */
  result(link: ChainLink, next: ChainLink | undefined): Promise<ChainedResult | undefined>;
  /** Records the failure of a step that the chain continues past. A worker that takes over continues past it too. */
  failed(link: ChainLink, failure: ChainFailure): Promise<void>;
  /** Everything that was recorded is durable after this. */
  close(): Promise<void>;
}

/** An output up to this size is in its record too, so that nothing waits for the disk. */
const SMALL_BYTES = 4096;

export async function openCommandChain(
  toolbox: Toolbox,
  { call, run, log, steps }: { call: ActivityCall; run: LoadedRun; log: string; steps: readonly ChainLink[] },
): Promise<CommandChain> {
  // Results that `command` recorded by itself; the log has those of chains.
  const alone = new Map<string, ChainedResult>();
  await Promise.all(
    steps.filter(isCommand).map(async ({ id }) => {
      const found: unknown = await toolbox.ledger.get(call.key, id);
      const nowMs = Date.now();
      if (found !== undefined) alone.set(id, { output: found as ChainedResult['output'], startedAtMs: nowMs, endedAtMs: nowMs });
    }),
  );
  const caller = await commandEnvironment(toolbox, run);
  // The steps of a chain are in one block, so they read the same end of the run, if any.
  const end = steps[0]?.input.end;
  const plain = await inputScope(toolbox, run, end ? { end } : {});
  const records = await toolbox.ledger.recordLog(call.key, log);
  await claimMissing(
    records,
    steps.flatMap((link) => (isCommand(link) && !alone.has(link.id) ? [link.id] : [])),
    call.scheduledAtMs,
  );
  const batch = toolbox.artifacts.batch();
  // Small, and without a secret that the ledger must not hold.
  const mayBeRecorded = (text: string) => Buffer.byteLength(text) <= SMALL_BYTES && plain.secrets.mask(text) === text;
  const put: ArtifactStore['put'] = (content, as) =>
    typeof content === 'string' && mayBeRecorded(content) ? batch.put(content, as) : toolbox.artifacts.put(content, as);
  const own = new Map<string, ArtifactRef>();
  const laidOut: Promise<void>[] = [];
  /** Begins of steps that are no commands: their own activity's code notes them. */
  const others = new Map<string, Begins>();
  const ready = new Ready(toolbox);
  const logs = chainLogs(toolbox, call);

  async function perform(command: ChainedCommand, next: ChainLink | undefined): Promise<ChainedResult> {
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
      if (next && isCommand(next) && isFixed(next.step) && !chain.isDone(next)) {
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
      const output = await commandOutput(toolbox, { run, step, ended: { stdout, stderr: '' }, readable, secrets: scope.secrets }, put);
      const result: ChainedResult = { output, ...times, ...(mayBeRecorded(stdout) ? { text: stdout } : {}) };
      return readChained(await records.putIfAbsent(command.id, asJson(result))) ?? result;
    };
    const at = { ...call, id: command.id };
    const result = await noteProduced(toolbox, at, execute, record);
    forgetUnstored(toolbox, at);
    return result;
  }

  async function commandResult(command: ChainedCommand, next: ChainLink | undefined): Promise<ChainedResult> {
    const before = readChained(records.get(command.id)) ?? alone.get(command.id);
    if (before) await restore({ put }, before);
    const result = before ?? (await perform(command, next));
    laidOut.push(publishOutput(toolbox, call.key.workflowId, command.address, result.output.artifact));
    return result;
  }

  async function otherResult(link: ChainLink): Promise<ChainedResult | undefined> {
    // What others see or build on must survive a crash of the machine.
    await batch.sync();
    await records.sync();
    const startedAtMs = Date.now();
    const result = await byOwnActivity(toolbox, call, link, withOwn(link, own)).catch((error: unknown) => {
      if (error instanceof ThermidorFailure && error.work) others.set(link.id, defined({ begun: error.work.begun }));
      throw error;
    });
    return result && { ...result, startedAtMs, endedAtMs: Date.now() };
  }

  const chain: CommandChain = {
    secrets: plain.secrets,
    begins: ({ id }) => others.get(id) ?? begunAgain(records, id),
    isDone: ({ id }) => records.get(id) !== undefined || alone.has(id),
    async result(link, next) {
      const failure = recordedFailure(field(records.get(link.id), 'failure'));
      if (failure) throw failure;
      const result = isCommand(link) ? await commandResult(link, next) : await otherResult(link);
      const artifact = result?.output.artifact;
      if (artifact) own.set(link.step.id, artifact);
      return result;
    },
    async failed({ id }, failure) {
      if (records.get(id) === undefined) await records.putIfAbsent(id, asJson({ failure }));
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

/** Undefined if another worker had done it before it could begin here. */
type Executed = { stdout: string; startedAtMs: number; endedAtMs: number } | undefined;

function requireResult(recorded: Json | undefined): ChainedResult {
  const failure = recordedFailure(field(recorded, 'failure'));
  if (failure) throw failure;
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
      // Its problem is reported when its turn comes.
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
