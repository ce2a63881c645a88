import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramSpec } from '../../../plan/agents/adapter';
import { PROGRAM_TOOLS } from '../../../plan/agents/tool-names';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { maskJson } from '../../../plan/text/masker';
import { isReply, type Turn, turnsOfRequest } from '../../../records/transcripts/turn';
import type { AgentAdapter, AgentRequest } from '../../agent-port';
import type { Secrets } from '../../ports';
import { requireTurn } from '../model/reply-budget';
import { makeTemporaryFolder, removeTemporaryFolder } from '../temporary-folder';
import { commandLine } from './command-line';
import { maskTurn, type ProgramEnvironment, programEnvironment, variablesIn } from './environment';
import { findProgram } from './find-program';
import type { Granted, ProgramPreset } from './preset';
import { presetOf } from './presets';
import { type RunningProgram, startProgram } from './program';
import { type ProgramEnd, programFailure } from './program-failure';
import { readProgram } from './read-program';
import { countedIn, firstPrompt, type KnownSession, lostResults, nextPrompt, sessionOf } from './session';
import { turnBuilder } from './turn-builder';

export interface ProgramOptions {
  /** How long a program may continue after it has reported its end. @default 10000 */
  lingerMs?: number;
  nowMs?: () => number;
}

/**
 * An agent that is a program with tools of its own: it is started, gets the request, and its output becomes turns.
 *
 * Invariants: 1. a session that has the request is asked to continue, and gets nothing twice; one that the program does not know is begun
 * again with the whole conversation; 2. the program may use what the agent lists and the step allows, and is ended if it uses anything
 * else; 3. its whole group has ended when `run` does, however it ends; 4. no secret that it was given is in a turn or a failure; 5. paid
 * usage is yielded, even if there was no result.
 *
 * Fails with `adapter.unavailable` if the program is missing; `agent.failed`; `agent.overstepped`; `agent.turns-used-up`;
 * `output.too-large`; `model.*` if the program reports it in known words; `secret.missing`.
 */
export function programAdapter(name: string, spec: ProgramSpec, secrets: Secrets, options: ProgramOptions = {}): AgentAdapter {
  const preset = presetOf(name, spec);
  return {
    name,
    ...defined({ model: spec.model }),
    ownTools: true,
    usesFolder: true,
    async *run(request, signal) {
      signal.throwIfAborted();
      if (turnsOfRequest(request.transcript()).some(isReply)) return;
      yield* lostResults(request.transcript());
      const environment = await programEnvironment(preset, spec, secrets);
      const agent: ProgramAgent = { name, preset, spec, request, environment, options };
      const session = sessionOf(preset, request);
      if (session !== undefined && (yield* converse(agent, session, signal)) === 'answered') return;
      yield* converse(agent, undefined, signal);
    },
  };
}

interface ProgramAgent {
  name: string;
  preset: ProgramPreset;
  spec: ProgramSpec;
  request: AgentRequest;
  environment: ProgramEnvironment;
  options: ProgramOptions;
}

/** One run of the program. */
async function* converse(
  agent: ProgramAgent,
  session: KnownSession | undefined,
  signal: AbortSignal,
): AsyncGenerator<Turn, 'answered' | 'unknown-session'> {
  const { preset, request, environment } = agent;
  requireTurn(request);
  const authority = preset.authority(grantedTools(request));
  return yield* withScratch(authority.files, async function* (files) {
    const program = await start(agent, session, authority, files, signal);
    try {
      return yield* attend(agent, program, new Set(authority.uses), session, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ThermidorFailure ? maskFailure(error, environment) : error;
    } finally {
      await program.end();
    }
  });
}

async function start(
  { name, preset, spec, request, environment }: ProgramAgent,
  session: KnownSession | undefined,
  authority: ReturnType<ProgramPreset['authority']>,
  files: string,
  signal: AbortSignal,
): Promise<RunningProgram> {
  const { agent, system, idempotencyKey, cwd } = request;
  const { argv, stdin } = commandLine(preset, spec, {
    ...defined({ model: agent.model, session }),
    ...{ system, authority, files, own: `thermidor-${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 24)}` },
    prompt: session === undefined ? firstPrompt(request) : nextPrompt(request),
  });
  const [word = '', ...words] = argv;
  const file = await findProgram(word, environment.variables['PATH'] ?? '');
  if (file === undefined) throw missing(name, preset, word);
  const onOutput = request.printed?.(environment.hidden);
  const { mask } = environment;
  return startProgram(
    { argv: [file, ...words], cwd, env: variablesIn(environment, request.env), stdin, mask, ...defined({ onOutput }) },
    signal,
  );
}

function missing(name: string, { install }: ProgramPreset, word: string): ThermidorFailure {
  const where = word.includes('/') ? 'no such program can be run' : 'no folder of PATH has it';
  const hint = install === undefined ? `adapters.${name}.command in thermidor.yaml names it` : `install it with: ${install}`;
  return new ThermidorFailure('adapter.unavailable', `the program "${word}" of adapter "${name}" was not found: ${where}; ${hint}`, {
    adapter: name,
    program: word,
  });
}

async function* attend(
  { name, preset, request, environment, options }: ProgramAgent,
  program: RunningProgram,
  uses: ReadonlySet<string>,
  session: KnownSession | undefined,
  signal: AbortSignal,
): AsyncGenerator<Turn, 'answered' | 'unknown-session'> {
  const { agent, transcript } = request;
  const from = transcript().length;
  const taken = new Set(turnsOfRequest(transcript()).flatMap(({ calls = [] }) => calls.map(({ id }) => id)));
  const counted = session === undefined ? undefined : countedIn(session.id, transcript());
  const turns = turnBuilder(preset, taken, () => transcript().slice(from), counted);
  const masked = (turn: Turn) => maskTurn(turn, environment.mask);
  const output = readProgram(preset.output, program, {
    alive: () => request.alive?.(),
    mask: environment.mask,
    lingerMs: options.lingerMs,
  });
  try {
    for await (const event of output.events()) {
      for (const turn of turns.add(event)) {
        yield masked(turn);
        signal.throwIfAborted();
        if (turn.role === 'assistant') requireMore(request);
      }
      if (event.kind === 'call' && !uses.has(event.tool)) throw overstepped(name, agent.id, event.tool);
    }
    const ending = await output.ending();
    signal.throwIfAborted();
    if (session !== undefined && !turns.said() && isUnknown(preset, ending)) return 'unknown-session';
    const reply = turns.reply();
    const failure = programFailure(agent.id, preset, ending, reply !== undefined, (options.nowMs ?? Date.now)(), environment.mask);
    if (failure) throw failure;
    if (reply) yield masked(reply);
    return 'answered';
  } catch (error) {
    signal.throwIfAborted();
    await program.end();
    const broken = turns.broken();
    if (broken && error instanceof ThermidorFailure) yield masked(broken);
    throw error;
  }
}

/** A program asks nobody before its next reply, so it is stopped if none may follow. */
function requireMore(request: AgentRequest): void {
  requireTurn(request);
  request.afford?.({ inputTokens: 0, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 1 });
}

function isUnknown({ unknownSession }: ProgramPreset, { exit, stderr, troubles }: ProgramEnd): boolean {
  if (!unknownSession || (exit.code === 0 && !troubles.some(({ fatal }) => fatal))) return false;
  return [stderr, ...troubles.map(({ message }) => message)].some((text) => unknownSession.test(text));
}

function overstepped(name: string, agent: string, tool: string): ThermidorFailure {
  const message = `the program of agent "${agent}" used "${tool}", which this step does not allow, and was stopped; \`tools:\` of the agent says what it may use`;
  return new ThermidorFailure('agent.overstepped', message, { agent, adapter: name, tool });
}

function maskFailure({ code, message, details, retryAfterMs }: ThermidorFailure, { mask }: ProgramEnvironment): ThermidorFailure {
  return new ThermidorFailure(code, mask(message), details === undefined ? undefined : maskJson(details, mask), retryAfterMs);
}

/**
 * The agent's tools that its program may use: those that it lists and the step allows. A tool that needs approval for each call is
 * withheld, as a program cannot ask for it; only the runner has tools for other agents, artifacts or servers of tools.
 */
export function grantedTools({ agent, tools }: Pick<AgentRequest, 'agent' | 'tools'>): Granted {
  const gated = new Set(Object.values(agent.categories ?? {}).flat());
  const allowed = tools && new Set(tools.specs.map(({ name }) => name));
  return new Set(PROGRAM_TOOLS.filter((tool) => agent.tools?.includes(tool) && !gated.has(tool) && (allowed?.has(tool) ?? true)));
}

/** Runs something with files in a folder of their own, which is removed afterwards. Without files there is no folder. */
async function* withScratch<T, R>(
  files: Readonly<Record<string, string>> | undefined,
  work: (folder: string) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  if (!files) return yield* work('');
  const folder = await makeTemporaryFolder(join(tmpdir(), 'thermidor-agent-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    return yield* work(folder);
  } finally {
    await removeTemporaryFolder(folder);
  }
}
