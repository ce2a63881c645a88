import { actOnRun, cancelRun } from '../../client/act-on-run';
import { awaitIdle } from '../../client/await-idle';
import type { ThermidorClient } from '../../client/connect';
import type { RunOutcome } from '../../client/outcome';
import { isInput } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import type { GateForm, GateView } from '../../plan/people/gate';
import type { Plan } from '../../plan/plan';
import type { SignalPayload } from '../../plan/run/signal';
import type { Step } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import type { ArtifactStore } from '../../records/artifact-store';
import { lastIdOf } from '../rendering/step-tree';
import { readForm } from '../response';
import type { Terminal } from '../terminal';
import { checkAnswer } from './answer-check';
import type { LobsterAnswer } from './arguments';
import { askAtTerminal, canAsk } from './ask-at-terminal';
import type { CallerFile } from './caller-file';
import { CANCELLED, type LobsterOutcome } from './envelope';
import { LobsterFailure, runtimeError, SIGNAL_EXITS } from './exit';
import { approvalRequest, envelopeLimit, formOf, inputRequest } from './gate-request';
import { pauseRun, type RunServer } from './paused-run';
import { fileResult, type LobsterResult, programResult } from './result';
import type { RetryLog } from './retry-log';
import type { LobsterStateFiles } from './state-files';
import type { TokenKind } from './token';

/**
 * Follows a run until there is an answer for its caller: its end, or a question.
 *
 * Invariants: 1. a question is returned only once its token is on the disk; 2. at a terminal, in human mode, it is asked immediately and
 * the run continues; 3. Ctrl-C is an order to stop, as with Lobster: the run is cancelled. A killed call leaves the run going.
 */
export interface LobsterConversation {
  client: ThermidorClient;
  store: ArtifactStore;
  terminal: Terminal;
  run: string;
  plan: Plan;
  kind: TokenKind;
  mode: 'human' | 'tool';
  files: LobsterStateFiles;
  caller: CallerFile;
  server: RunServer;
  retries: RetryLog;
  filePath?: string;
}

export interface EndedRun extends LobsterOutcome {
  /** The output of a program that completed. */
  text?: string;
}

export async function followLobsterRun(talk: LobsterConversation): Promise<EndedRun> {
  const { client, run, terminal, retries } = talk;
  for (;;) {
    const rest = await awaitIdle(client, run, { signal: terminal.interrupted, onProgress: () => retries.report() });
    if (rest === undefined) throw await stopped(talk);
    await retries.report();
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

async function endOf({ store, kind }: LobsterConversation, outcome: RunOutcome): Promise<EndedRun> {
  switch (outcome.state) {
    case 'completed': {
      const read: (outcome: RunOutcome, store: ArtifactStore) => Promise<LobsterResult> =
        kind === 'workflow-file' ? fileResult : programResult;
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

function question(talk: LobsterConversation, gate: GateView, form: GateForm): EndedRun {
  const { files, kind, run, server, terminal, filePath } = talk;
  const { step, isStep } = whoAsks(talk, gate);
  const asks = gate.kind === 'input' ? 'input' : 'approval';
  const limits = { maxBytes: envelopeLimit(terminal.env), step, alwaysSubject: isStep };
  // A question that cannot be asked is found before there is a token.
  if (asks === 'input') inputRequest(form, PLACEHOLDER, limits);
  const { resumeToken, approvalId = '' } = pauseRun(files, kind, {
    run,
    gate: gate.step,
    openedAt: gate.openedAt,
    shownSha256: gate.shownSha256,
    asks,
    step,
    server,
    ...defined({ filePath }),
  });
  return asks === 'input'
    ? { status: 'needs_input', output: [], requiresApproval: null, requiresInput: inputRequest(form, resumeToken, limits) }
    : { status: 'needs_approval', output: [], requiresApproval: approvalRequest(form, { resumeToken, approvalId }), requiresInput: null };
}

/** As long as a token. */
const PLACEHOLDER = 'x'.repeat(220);

/** The step as its file calls it, and whether it is an `input` step of its own. */
function whoAsks({ plan }: Pick<LobsterConversation, 'plan'>, gate: Pick<GateView, 'step'>): { step: string; isStep: boolean } {
  const id = lastIdOf(gate.step);
  const found = [...everyStep<Step>(plan.block.steps)].find((step) => step.id === id);
  return { step: found?.as ?? id, isStep: found !== undefined && isInput(found) };
}

async function answerHere(talk: LobsterConversation, gate: GateView, form: GateForm): Promise<void> {
  const { terminal, kind } = talk;
  const { step, isStep } = whoAsks(talk, gate);
  const answer = await askAtTerminal(terminal, gate.kind, form, !isStep);
  if (terminal.interrupted.aborted) throw await stopped(talk);
  const by = approver(terminal.env);
  try {
    checkAnswer(answer, { kind, paused: { asks: gate.kind === 'input' ? 'input' : 'approval', step }, form, by });
  } catch (error) {
    await cancelLobsterRun(talk);
    throw error instanceof LobsterFailure ? runtimeError(error.message) : error;
  }
  await decideLobsterGate(talk, gate, answer);
  if (answer.kind !== 'reject') return;
  await settled(talk);
  throw runtimeError('Not approved');
}

/** Sends a valid answer. Fails if the run refuses it. */
export async function decideLobsterGate(
  { client, run, terminal }: Pick<LobsterConversation, 'client' | 'run' | 'terminal'>,
  gate: Pick<GateView, 'step'>,
  answer: Exclude<LobsterAnswer, { kind: 'cancel' }>,
): Promise<void> {
  const by = approver(terminal.env);
  const payload: SignalPayload = { step: gate.step, ...defined({ by }) };
  if (answer.kind === 'respond') payload.response = answer.response;
  await actOnRun(client, run, answer.kind, payload);
}

export function approver(env: NodeJS.ProcessEnv): string | undefined {
  return env['LOBSTER_APPROVAL_APPROVED_BY']?.trim() || undefined;
}

const CANCEL_MS = 15_000;

/** Calls the run off and waits, not forever, until it has ended. */
export async function cancelLobsterRun(talk: Pick<LobsterConversation, 'client' | 'run' | 'caller'>): Promise<void> {
  await cancelRun(talk.client, talk.run);
  await settled(talk);
}

async function settled({ client, run, caller }: Pick<LobsterConversation, 'client' | 'run' | 'caller'>): Promise<void> {
  if (await awaitIdle(client, run, { signal: AbortSignal.timeout(CANCEL_MS) })) await caller.remove();
}

async function stopped(talk: LobsterConversation): Promise<LobsterFailure> {
  await cancelLobsterRun(talk);
  const name = signalName(talk.terminal.interrupted);
  return new LobsterFailure('runtime_error', `Received ${name}`, { exit: SIGNAL_EXITS[name] ?? 1 });
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.message in SIGNAL_EXITS ? reason.message : 'SIGINT';
}
