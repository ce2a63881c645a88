import { randomUUID } from 'node:crypto';
import { defined } from '../../plan/defined';
import { isJsonObject } from '../../plan/text/json';
import { identifySelf, isProcessIdentity, isRunning, type ProcessIdentity } from '../../records/locks/process-identity';
import { LobsterFailure, runtimeError } from './exit';
import type { LobsterStateFiles } from './state-files';
import { encodeToken, newStateKey, type TokenKind } from './token';

/**
 * The data of a token: a gate of a run, and where that run lives, so that any process in any folder may answer.
 *
 * Invariants: 1. a token is used up only when its answer has been delivered: if the process is killed before that, the next call continues;
 * 2. while a living process holds it, nobody else can; 3. the run decides whether an answer counts, so a copied state file answers no gate
 * twice.
 */
export interface PausedRun {
  format: typeof FORMAT;
  run: string;
  /** Short address of the gate. */
  gate: string;
  /** When it opened, and what the person was shown: a gate at the same address that differs in these is another gate. */
  openedAt: string;
  shownSha256: string;
  asks: 'approval' | 'input';
  /** The step's name in messages. */
  step: string;
  server: RunServer;
  /** The path of a workflow file. */
  filePath?: string;
  createdAt: string;
  /** The process that is about to answer it. */
  inHand?: ProcessIdentity;
}

export interface RunServer {
  /** The folder whose settings name the store. Its address is not kept here, because it may have a password. */
  root: string;
  stateDir: string;
  /** Absent: the embedded server of the state folder. */
  address?: string;
  namespace: string;
  taskQueue: string;
}

const FORMAT = 'thermidor.lobster-resume.v1';

export interface PausedHandle {
  key: string;
  paused: PausedRun;
}

/** Writes the state of a gate and gives its token; an approval has a short id, too. */
export function pauseRun(
  files: LobsterStateFiles,
  kind: TokenKind,
  state: Omit<PausedRun, 'format' | 'createdAt'>,
): { resumeToken: string; approvalId?: string } {
  const stateKey = newStateKey(kind, randomUUID());
  files.write(stateKey, { format: FORMAT, ...state, createdAt: new Date().toISOString() } satisfies PausedRun);
  const resumeToken = encodeToken({ kind, stateKey });
  return state.asks === 'approval' ? { resumeToken, approvalId: files.giveApprovalId(stateKey) } : { resumeToken };
}

/** Fails with a runtime error if the token is used up, held by another process, or not ours. */
export function openPaused(files: LobsterStateFiles, key: string, kind: TokenKind): PausedHandle {
  const paused = files.read(key);
  if (paused === undefined) throw notFound(kind);
  if (!isPaused(paused)) throw runtimeError(`Invalid ${kind === 'workflow-file' ? 'workflow' : 'pipeline'} resume state`);
  if (paused.inHand !== undefined && isRunning(paused.inHand)) throw notFound(kind);
  return { key, paused };
}

/** Takes the token for this process. */
export function lockPausedRun(files: LobsterStateFiles, { key, paused }: PausedHandle): void {
  files.write(key, { ...paused, inHand: identifySelf() } satisfies PausedRun);
}

/** Gives the token back: the answer was invalid, and the token stays valid. */
export function releasePausedRun(files: LobsterStateFiles, { key, paused }: PausedHandle): void {
  const { inHand: _nobody, ...open } = paused;
  files.write(key, open);
}

/** @param located for people, on standard error */
export function notFound(kind: TokenKind, located?: string): LobsterFailure {
  const message = kind === 'workflow-file' ? 'Workflow resume state not found' : 'Pipeline resume state not found';
  return new LobsterFailure('runtime_error', message, defined({ located }));
}

function isPaused(value: unknown): value is PausedRun {
  if (!isJsonObject(value) || value['format'] !== FORMAT) return false;
  const { server, asks, inHand } = value;
  const texts = ['run', 'gate', 'openedAt', 'shownSha256', 'step', 'createdAt'].every((key) => typeof value[key] === 'string');
  const known = isJsonObject(server) && ['root', 'stateDir', 'namespace', 'taskQueue'].every((key) => typeof server[key] === 'string');
  return texts && known && (asks === 'approval' || asks === 'input') && (inHand === undefined || isProcessIdentity(inHand));
}
