import { actOnRun, cancelRun } from '../../client/act-on-run';
import { awaitRest } from '../../client/await-rest';
import type { ThermidorClient } from '../../client/connect';
import type { RunOutcome } from '../../client/outcome';
import { isInput } from '../../kinds/questions';
import type { GateForm, GateView } from '../../plan/gate';
import type { Plan } from '../../plan/plan';
import type { SignalPayload } from '../../plan/signal';
import type { Step } from '../../plan/step';
import { everyStep } from '../../plan/walk';
import type { ArtifactStore } from '../../records/artifact-store';
import { lastIdOf } from '../rendering/step-tree';
import { readForm } from '../response';
import type { Terminal } from '../terminal';
import { checkAnswer } from './answer-check';
import type { Answer } from './arguments';
import { askAtTerminal, canAsk } from './ask-at-terminal';
import type { CallerFile } from './caller-file';
import { CANCELLED, type Outcome } from './envelope';
import { LobsterFailure, runtimeError, SIGNAL_EXITS } from './exit';
import { approvalRequest, envelopeLimit, formOf, inputRequest } from './gate-request';
import { pause, type RunServer } from './paused';
import { fileResult, programResult, type Result } from './result';
import type { RetryLog } from './retry-log';
import type { StateFiles } from './state-files';
import type { TokenKind } from './token';

/**
 * Follows a run until there is something to answer its caller with: its end, or a question.
 *
 * Invariants: 1. a question is handed out once its token is on the disk; 2. at a terminal, in human mode, it is put there and then
 * and the run continues; 3. Ctrl-C is an order to stop, as with Lobster: the run is cancelled. A killed call leaves it going.
 */
export interface Conversation {
  client: ThermidorClient;
  store: ArtifactStore;
  terminal: Terminal;
  run: string;
  plan: Plan;
  kind: TokenKind;
  mode: 'human' | 'tool';
  files: StateFiles;
  caller: CallerFile;
  server: RunServer;
  retries: RetryLog;
  filePath?: string;
}

export interface Ended extends Outcome {
  /** Of a program that completed: what it wrote. */
  text?: string;
}

export async function converse(talk: Conversation): Promise<Ended> {
  const { client, run, terminal, retries } = talk;
  for (;;) {
    const rest = await awaitRest(client, run, { signal: terminal.interrupted, onProgress: () => retries.tell() });
    if (rest === undefined) throw await stopped(talk);
    await retries.tell();
    if (rest.kind === 'ended') {
      await talk.caller.remove();
      return endOf(talk, rest.outcome);
    }
    const [gate] = rest.view.gates;
    if (gate === undefined) continue;
    const form = formOf(gate, await readForm(talk.store, gate));
    if (talk.mode === 'tool' || !canAsk(terminal)) return question(talk, gate, form);
    await answerHere(talk, gate, form);
  }
}

async function endOf({ store, kind }: Conversation, outcome: RunOutcome): Promise<Ended> {
  switch (outcome.state) {
    case 'completed': {
      const read: (outcome: RunOutcome, store: ArtifactStore) => Promise<Result> = kind === 'workflow-file' ? fileResult : programResult;
      const { output, text } = await read(outcome, store);
      return { status: 'ok', output, requiresApproval: null, requiresInput: null, text };
    }
    case 'failed':
      throw runtimeError(outcome.error?.message ?? 'the run failed');
    case 'rejected':
    case 'cancelled':
      return CANCELLED;
  }
}

function question(talk: Conversation, gate: GateView, form: GateForm): Ended {
  const { files, kind, run, server, terminal, filePath } = talk;
  const { step, isStep } = whoAsks(talk, gate);
  const asks = gate.kind === 'input' ? 'input' : 'approval';
  const limits = { maxBytes: envelopeLimit(terminal.env), step, alwaysSubject: isStep };
  // What cannot be put is found before a token is there.
  if (asks === 'input') inputRequest(form, PLACEHOLDER, limits);
  const { resumeToken, approvalId = '' } = pause(files, kind, {
    run,
    gate: gate.step,
    openedAt: gate.openedAt,
    shownSha256: gate.shownSha256,
    asks,
    step,
    server,
    ...(filePath === undefined ? {} : { filePath }),
  });
  return asks === 'input'
    ? { status: 'needs_input', output: [], requiresApproval: null, requiresInput: inputRequest(form, resumeToken, limits) }
    : { status: 'needs_approval', output: [], requiresApproval: approvalRequest(form, { resumeToken, approvalId }), requiresInput: null };
}

/** As long as a token is. */
const PLACEHOLDER = 'x'.repeat(220);

/** The step as its file calls it, and whether it is an `input` step of its own. */
function whoAsks({ plan }: Pick<Conversation, 'plan'>, gate: Pick<GateView, 'step'>): { step: string; isStep: boolean } {
  const id = lastIdOf(gate.step);
  const found = [...everyStep<Step>(plan.block.steps)].find((step) => step.id === id);
  return { step: found?.as ?? id, isStep: found !== undefined && isInput(found) };
}

async function answerHere(talk: Conversation, gate: GateView, form: GateForm): Promise<void> {
  const { terminal, kind } = talk;
  const { step, isStep } = whoAsks(talk, gate);
  const answer = await askAtTerminal(terminal, gate.kind, form, !isStep);
  if (terminal.interrupted.aborted) throw await stopped(talk);
  const by = approver(terminal.env);
  try {
    checkAnswer(answer, { kind, paused: { asks: gate.kind === 'input' ? 'input' : 'approval', step }, form, by });
  } catch (error) {
    await cancel(talk);
    throw error instanceof LobsterFailure ? runtimeError(error.message) : error;
  }
  await decide(talk, gate, answer);
  if (answer.kind !== 'reject') return;
  await settled(talk);
  throw runtimeError('Not approved');
}

/** Sends an answer that fits. Fails as the run refuses it. */
export async function decide(
  { client, run, terminal }: Pick<Conversation, 'client' | 'run' | 'terminal'>,
  gate: Pick<GateView, 'step'>,
  answer: Exclude<Answer, { kind: 'cancel' }>,
): Promise<void> {
  const by = approver(terminal.env);
  const payload: SignalPayload = { step: gate.step, ...(by === undefined ? {} : { by }) };
  if (answer.kind === 'respond') payload.response = answer.response;
  await actOnRun(client, run, answer.kind, payload);
}

export function approver(env: NodeJS.ProcessEnv): string | undefined {
  return env['LOBSTER_APPROVAL_APPROVED_BY']?.trim() || undefined;
}

const CANCEL_MS = 15_000;

/** Calls the run off and waits, not forever, until it has ended. */
export async function cancel(talk: Pick<Conversation, 'client' | 'run' | 'caller'>): Promise<void> {
  await cancelRun(talk.client, talk.run);
  await settled(talk);
}

export async function settled({ client, run, caller }: Pick<Conversation, 'client' | 'run' | 'caller'>): Promise<void> {
  if (await awaitRest(client, run, { signal: AbortSignal.timeout(CANCEL_MS) })) await caller.remove();
}

async function stopped(talk: Conversation): Promise<LobsterFailure> {
  await cancel(talk);
  const name = signalName(talk.terminal.interrupted);
  return new LobsterFailure('runtime_error', `Received ${name}`, { exit: SIGNAL_EXITS[name] ?? 1 });
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.message in SIGNAL_EXITS ? reason.message : 'SIGINT';
}
