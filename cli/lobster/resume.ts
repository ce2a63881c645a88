import { existsSync } from 'node:fs';
import { ClientProblem } from '../../client/client-problem';
import { readLiveRun } from '../../client/read-live-run';
import { defined } from '../../plan/defined';
import type { GateView } from '../../plan/people/gate';
import type { RunView } from '../../plan/run/status';
import { Options } from '../command';
import { planFromText, runPlanText } from '../pipelines/child-plans';
import { readForm } from '../response';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import type { Setting } from '../settings/setting';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { checkAnswer } from './answer-check';
import type { ResumeArguments } from './arguments';
import { callerFile } from './caller-file';
import { approver, cancelLobsterRun, decideLobsterGate, type EndedRun, followLobsterRun, type LobsterConversation } from './conversation';
import { CANCELLED } from './envelope';
import { LobsterFailure, parseError, runtimeError } from './exit';
import { formOf } from './gate-request';
import { openLobsterSession } from './open-session';
import { lockPausedRun, notFound, openPaused, type PausedHandle, type PausedRun, type RunServer, releasePausedRun } from './paused-run';
import { checkQuestion } from './question-check';
import { retryLog } from './retry-log';
import { LobsterStateFiles, stateFolder } from './state-files';
import { decodeToken, kindOfStateKey, type ResumeToken } from './token';

export interface ResumeOrder {
  asked: ResumeArguments;
  /** This folder's settings; the run's own server and state folder take precedence. */
  configuration: Configuration;
  terminal: Terminal;
}

/**
 * Answers a paused run and follows it. Every mistake in an answer is found before it is sent to the run, and leaves the token valid. If a
 * process was killed after sending a token's answer, this one continues from there.
 */
export async function resume({ asked, configuration, terminal }: ResumeOrder, deliver: (ended: EndedRun) => void): Promise<void> {
  const files = new LobsterStateFiles(stateFolder(terminal.env));
  const token = tokenOf(asked, files);
  const { answer } = asked;
  const handle = answer.kind === 'cancel' ? openForCancel(files, token) : openPaused(files, token.stateKey, token.kind);
  const { paused } = handle;
  const there = atServer(configuration, paused.server, terminal);
  if (!isThere(there)) throw lost(answer.kind, token);
  const session = await openLobsterSession(there, terminal, terminal.cwd);
  try {
    const { client } = session;
    const { run, server } = paused;
    const stores = recordsOf(there);
    const store = stores.artifacts;
    const view = await viewOf(() => readLiveRun(client, run), files, token);
    const plan = planFromText(view.plan && (await runPlanText(stores, view.plan)));
    if (plan === undefined) throw notFound(token.kind);
    const caller = callerFile(there, run, terminal);
    const gate = openGate(view, paused);
    if (answer.kind === 'cancel') {
      if (gate === undefined && paused.inHand === undefined) throw forgotten(files, token, runtimeError(NOTHING_TO_CANCEL));
      await cancelLobsterRun({ client, run, caller });
      files.remove(token.stateKey);
      deliver(CANCELLED);
      return;
    }
    const talk: LobsterConversation = {
      client,
      store,
      terminal,
      run,
      plan,
      kind: token.kind,
      mode: 'tool',
      files,
      caller,
      server,
      retries: await retryLog({ client, store, run, plan, fresh: false }, (line) => terminal.err(line)),
      ...defined({ filePath: paused.filePath }),
    };
    if (gate !== undefined) {
      checkAnswer(answer, { kind: token.kind, paused, form: formOf(gate, await readForm(store, gate)), by: approver(terminal.env) });
      if (answer.kind !== 'reject') await checkQuestion({ paused, plan, store, terminal });
      await send(talk, handle, gate, answer);
    } else if (paused.inHand === undefined) throw forgotten(files, token, notFound(token.kind, passed(paused)));
    else lockPausedRun(files, handle);
    await followOn(talk, token, deliver);
  } finally {
    await session.close();
  }
}

/** Follows the run. The token is used up once its answer is delivered; if that was impossible because a server is away, it stays valid. */
async function followOn(talk: LobsterConversation, { stateKey }: ResumeToken, deliver: (ended: EndedRun) => void): Promise<void> {
  try {
    deliver(await followLobsterRun(talk));
  } catch (error) {
    if (error instanceof LobsterFailure) talk.files.remove(stateKey);
    throw error;
  }
  talk.files.remove(stateKey);
}

type Sent = Exclude<ResumeArguments['answer'], { kind: 'cancel' }>;

async function send(talk: LobsterConversation, handle: PausedHandle, gate: GateView, answer: Sent): Promise<void> {
  const { files, kind } = talk;
  await talk.caller.write();
  lockPausedRun(files, handle);
  try {
    await decideLobsterGate(talk, gate, answer);
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    const outcome = error.more.details?.['outcome'];
    // Somebody else was quicker: theirs is the token.
    if (error.code === 'run.ended' || outcome === 'late') throw notFound(kind);
    // A person who may not approve may still stop the run, as with Lobster.
    if (error.code === 'signal.refused' && answer.kind === 'reject') return cancelLobsterRun(talk);
    releasePausedRun(files, handle);
    throw error.code === 'signal.refused' ? parseError(error.message) : error;
  }
}

function tokenOf(asked: ResumeArguments, files: LobsterStateFiles): ResumeToken {
  const { kind, stateKey } = askedToken(asked, files);
  return { kind, stateKey: files.keyOnDisk(stateKey) };
}

function askedToken({ token, approvalId }: ResumeArguments, files: LobsterStateFiles): ResumeToken {
  if (approvalId === undefined) return decodeToken(token ?? '');
  const stateKey = files.keyOfApproval(approvalId);
  if (stateKey === undefined) throw parseError(`Approval ID "${approvalId}" not found or expired`);
  return { kind: kindOfStateKey(stateKey), stateKey };
}

function openForCancel(files: LobsterStateFiles, { stateKey, kind }: ResumeToken): PausedHandle {
  if (files.read(stateKey) === undefined) throw runtimeError(NOTHING_TO_CANCEL);
  return openPaused(files, stateKey, kind);
}

const NOTHING_TO_CANCEL = 'Resume state not found';

function lost(answer: string, { kind }: ResumeToken) {
  return answer === 'cancel' ? runtimeError(NOTHING_TO_CANCEL) : notFound(kind);
}

/** The state cannot be resolved any more. */
function forgotten(files: LobsterStateFiles, { stateKey, kind }: ResumeToken, failure = notFound(kind)) {
  files.remove(stateKey);
  return failure;
}

/** For people; Lobster has no words for it. */
function passed({ run, step }: PausedRun): string {
  return `the run ${run} no longer waits for this answer to step "${step}": it was given elsewhere, or the run has ended\n  hint: thermidor status ${run}\n`;
}

async function viewOf(read: () => Promise<RunView>, files: LobsterStateFiles, token: ResumeToken): Promise<RunView> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClientProblem && error.code === 'run.not-found') throw forgotten(files, token);
    throw error;
  }
}

/** The gate, if it is still the same question. */
function openGate({ gates }: RunView, { gate, openedAt, shownSha256 }: PausedRun): GateView | undefined {
  return gates.find((open) => open.step === gate && open.openedAt === openedAt && open.shownSha256 === shownSha256);
}

/** Without its state folder a run is lost, unless both its server and its records are elsewhere. */
function isThere({ stateDir, store, address }: Configuration): boolean {
  return existsSync(stateDir.value) || (store.value !== undefined && address.value !== undefined);
}

/** The server and the store on which the run lives, whatever is configured in the folder that the answer comes from. */
function atServer(configuration: Configuration, server: RunServer, terminal: Terminal): Configuration {
  const { store, storeSchema, artifacts, callbacks } = configurationOf({
    options: new Options({}),
    terminal: { ...terminal, cwd: server.root },
  });
  const source = 'the paused run';
  const of = <T>(value: T): Setting<T> => ({ value, source });
  return {
    ...configuration,
    ...{ store, storeSchema, artifacts, callbacks },
    stateDir: of(server.stateDir),
    address: of(server.address),
    namespace: of(server.namespace),
    taskQueue: of(server.taskQueue),
  };
}
