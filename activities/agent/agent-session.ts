import type { MemberWork } from '../../plan/board/member-work';
import { AMOUNTS } from '../../plan/budgets/budget';
import { defined, unlessEmpty } from '../../plan/defined';
import type { AgentDefinition } from '../../plan/plan';
import type { HandedEvent } from '../../plan/run/journal';
import type { Address } from '../../plan/steps/address';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Json, JsonObject } from '../../plan/text/json';
import { isPrompt, type Turn } from '../../records/transcripts/turn';
import type { ActivityCall } from '../activity-call';
import type { AgentAdapter, AgentRequest, AgentTools } from '../agent-port';
import type { StepLog } from '../logs/step-log';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import type { AgentItems } from '../streams/stream-types';
import type { Toolbox } from '../toolbox';
import type { Tool } from '../tools/tool';
import type { WorkTree } from '../worktrees/in-worktree';
import type { PauseRequests } from './agent-paused';
import type { BudgetMeter } from './budget/budget-meter';
import type { OpenAccount } from './budget/open-account';
import { idempotencyKey } from './idempotency-key';
import type { InactivityTimeout } from './inactivity-timeout';
import { identityOf } from './member-identity';
import type { Transcript } from './transcript';

/** The shared state of all conversations within one try. */
export interface AttemptScope {
  toolbox: Toolbox;
  /** The call of the activity. */
  call: ActivityCall;
  run: LoadedRun;
  address: Address;
  /** The step the try belongs to, by id. */
  stepId: string;
  /** The step's folder, absolute; made when it is first asked for. */
  folder(): Promise<string>;
  /** What its agents must know of the step's folder. */
  moved?: MovedFolder;
  /** The worktree that the step works in. */
  tree?: WorkTree;
  /** Pushes new commits of the worktree. */
  pushCommits(): Promise<void>;
  /** The id of the earlier try, if this one continues from its turns. */
  broken?: string;
  input: StepInput;
  /** The member of a board as which the try's own agent works. */
  member?: MemberWork;
  /** It has spawned a child since it was called. */
  spawned?: true;
  secrets: RunSecrets;
  /** The stream of a step that emits items. */
  items?: AgentItems;
  /** The log of programs' output within the try. */
  log: StepLog;
  meter: BudgetMeter;
  pauses: PauseRequests;
  /** Transcripts of everybody who was asked within the try. */
  transcripts: Map<string, Transcript>;
  /** The accounts of everybody who was asked, as far as this try has written them. */
  accounts: Map<string, OpenAccount>;
  toolsFor(session: AgentSession, ask: number, signal: AbortSignal): AgentTools;
}

/** The folder of a step is another one than that of its try before: files stay on their host, and turns do not. */
export interface MovedFolder {
  /** What the agent reads: its earlier turns speak of files in the other folder. Absent: it read that in an earlier try. */
  note?: string;
  /** Each note of which its reply counts only once it has read it, oldest first. */
  mustHear?: readonly string[];
  journal: readonly HandedEvent[];
}

/** An agent that is asked: the try's own, or one that it talks to. Each has a transcript of its own. */
export interface AgentSession {
  /** The name of its transcript: the activity's id, or one below it. */
  id: string;
  agent: AgentDefinition;
  /** The part that stays the same over all requests. */
  system: string;
  /** The conversation before its transcript begins: only the owner, who has one context in a run, has one. */
  before?: readonly Turn[];
  adapter: AgentAdapter;
  transcript: Transcript;
  /** The key of its replies in a script. */
  scriptKey: string;
  /** The loops and turns around it, outermost first; a script chooses by them. */
  iterations: readonly number[];
  /** For a child that is asked again: its own try. */
  try?: number;
  /** Its depth (`plan/agents/spawn-depth.ts`); absent: it calls no other agents. */
  depth?: number;
  /** A shorter list of tools than the agent's, if the step has one. */
  tools?: readonly string[];
  /** Tools of servers that it has in addition to the table's, by name. */
  serverTools?: Readonly<Record<string, Tool>>;
  schema?: Json;
  /** Fields that a script need not say. */
  implied?: JsonObject;
  signs: InactivityTimeout;
}

/** One request to the agent. */
export async function agentRequest(
  scope: AttemptScope,
  session: AgentSession,
  ask: number,
  prompt: string,
  signal: AbortSignal,
): Promise<AgentRequest> {
  const { call, run, address, meter, moved } = scope;
  const { agent, adapter, system, schema, implied, iterations, before, transcript, signs } = session;
  const maxTokens = meter.tokensLeft();
  const { member } = scope;
  const identity = member && session.id === call.id ? identityOf(member) : undefined;
  const conversation = () => (before ? [...before, ...transcript.asAnswered()] : transcript.asAnswered());
  return {
    idempotencyKey: idempotencyKey({ ...call, id: session.id }, ask),
    stepId: session.scriptKey,
    address: session.try === undefined ? address : { ...address, try: session.try },
    ask,
    agent,
    system,
    // A try that continues from another was asked in that one's words.
    prompt: withNote(conversation().findLast(isPrompt)?.text ?? prompt, adapter.hearsMeanwhile ? undefined : moved?.note),
    transcript: conversation,
    ...defined({
      earlier: before?.length || undefined,
      isNews: transcript.announced(ask) || moved?.mustHear?.some((note) => prompt.includes(note)) ? (true as const) : undefined,
    }),
    cwd: adapter.usesFolder || agent.tools?.length ? await scope.folder() : '',
    alive: signs.restart,
    printed: (hidden) => scope.log.program({ title: `the program of agent "${agent.id}"`, hidden }),
    afford: (usage) => meter.afford(usage, agent.model),
    ...reservationOf(scope, session, ask),
    tools: scope.toolsFor(session, ask, signal),
    ...defined({
      maxTokens,
      iterations: unlessEmpty(iterations),
      schema,
      implied,
      script: run.script,
      env: scope.tree?.env,
      identity,
    }),
  };
}

/** A prompt that has the note stays as it is. */
export function withNote(prompt: string, note: string | undefined): string {
  return note === undefined || prompt.includes(note) ? prompt : `${prompt}\n\n${note}`;
}

/** How its replies are reserved. Under no ceiling nothing is written. */
function reservationOf({ meter }: AttemptScope, { agent, adapter, transcript }: AgentSession, ask: number): Required<Reserving> {
  return {
    async reserve(reply) {
      await transcript.requireOwn();
      const answered = transcript.turns().map(({ model }) => model);
      const { tokens, atMost } = await meter.room(reply, [agent.model, ...answered]);
      if (AMOUNTS.some((kind) => (atMost[kind] ?? 0) > 0)) await transcript.reserve(ask, atMost);
      return tokens;
    },
    async unpaid() {
      if (transcript.reserved() !== undefined) await transcript.reserve(ask, {});
    },
    unlimited: () => meter.requireLimited(adapter.name),
  };
}

type Reserving = Pick<AgentRequest, 'reserve' | 'unpaid' | 'unlimited'>;
