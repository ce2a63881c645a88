import type { Script, ScriptedReply } from '../../plan/agents/script';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { FailureCode } from '../../plan/run/failure';
import type { RunState } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import type { Verdict } from '../../plan/steps/verdict';
import type { Json, JsonObject } from '../../plan/text/json';
import type { SourceSpan } from '../diagnostics/diagnostic';

/** A `*.test.yaml` as read: the stand-ins for the world of a pipeline, and the results its runs are expected to have (docs/testing.md). */
export interface PipelineTest {
  name: string;
  /** Line in its file, from 1. */
  line: number;
  at: SourceSpan;
  args: Record<string, Json>;
  /** Stands in for the agents, and for the people if the test has none of its own. */
  script: Script;
  /** What commands output, by step. */
  commands: Record<string, StandIn[]>;
  /** The merge queue's results for candidates, by the step whose worktree they are from. */
  merges: Record<string, MergeStandIn[]>;
  /** What comes of tasks for teams, by the step that gives them. */
  tasks: Record<string, TaskStandIn[]>;
  /** Stand-ins for child pipelines, by the name of the pipeline. */
  children: Record<string, Pick<PipelineTest, 'script' | 'commands' | 'merges' | 'tasks'>>;
  people: PersonAction[];
  startMs: number;
  /** The moment for which a schedule starts the run. Absent: a person starts it. */
  scheduledMs?: number;
  /** Virtual time after which the test stops looking. */
  untilMs?: number;
  expect: Expectation;
}

/** Stands for every step that the test does not name. */
export const ANY_STEP = '*';
export const DEFAULT_START_MS = Date.UTC(2026, 0, 5, 7, 30);

/** The output of a command in a test; the first that fits is taken. */
export interface StandIn extends Pick<ScriptedReply, 'round' | 'try' | 'iteration' | 'afterMs'> {
  /** The number of the command, if the step runs several: counts from 1. */
  call?: number;
  does: StandInOutcome;
}
export type StandInOutcome =
  | { kind: 'ends'; stdout: string; stderr: string; exitCode: number }
  /** The command never ends by itself: the step's timeout ends it. */
  | { kind: 'hangs' }
  /** The command itself is run, on this machine. */
  | { kind: 'executes' };

/** What becomes of a candidate in a test; the first of several that fits is used. */
export interface MergeStandIn {
  /** A part of the candidate's title. Absent: any. */
  title?: string;
  /** Which of the candidates with this title: counts from 1. Absent: any. */
  round?: number;
  outcome:
    | Pick<Extract<TicketOutcome, { kind: 'conflict' }>, 'kind' | 'paths'>
    | Pick<Extract<TicketOutcome, { kind: 'restricted' }>, 'kind' | 'paths'>
    | Pick<Extract<TicketOutcome, { kind: 'red' }>, 'kind' | 'tail' | 'isTargets'>;
}

/** What comes of a task in a test; the first of several that fits is used. */
export interface TaskStandIn extends Pick<ScriptedReply, 'round' | 'try' | 'iteration' | 'afterMs'> {
  /** A part of the task's subject. Absent: any. */
  subject?: string;
  outcome:
    | { kind: 'completed'; result?: string; owner?: string; attempts?: number }
    | { kind: 'dropped' | 'refused'; reason: string }
    /** The team ends without it. */
    | { kind: 'left' }
    | { kind: 'no-team' }
    /** Nothing comes of it: the step's timeout ends the wait. */
    | { kind: 'hangs' };
}

/** What somebody does, and when. */
export interface PersonAction {
  when: PersonActionTime;
  does: PersonActionKind;
  at: SourceSpan;
}
export type PersonActionTime =
  /** Time after the run started. */
  | { kind: 'at'; ms: number }
  /** Time after a gate opened; the gate's step in short form, optionally with a round. */
  | { kind: 'gate'; gate: string; afterMs: number }
  /** Time after a step was held. */
  | { kind: 'held'; step: string; afterMs: number };
export type PersonActionKind =
  /** With `proven` it comes in a way that proves who sent it. */
  { kind: 'signal'; name: string; payload: JsonObject | Json; proven?: true } | { kind: 'cancel' };

/** The expectations of a test: only the parts that are present are checked. */
export interface Expectation {
  status?: RunState[];
  /** Part of the reason why the run was rejected. */
  reason?: string;
  error?: { code?: FailureCode; step?: string; message?: string };
  /** The run's output, as a whole. */
  output?: { value: Json };
  /** A part of the run's output, which may have more. */
  outputHas?: { value: Json };
  /** By step id or address. */
  steps?: ExpectedStep[];
  /** Steps in the order in which they started; those of one group in any order. */
  order?: string[][];
  /** Requests to an agent, or commands run, by step. */
  calls?: [step: string, calls: number][];
  rounds?: [step: string, rounds: number][];
  /** Codes of a step's failures in order, including tries that were followed by another. */
  errors?: [step: string, codes: FailureCode[]][];
  /** Entries that the journal has in this order; others may be between them. */
  journal?: JsonObject[];
  /** Entries that the journal does not have. */
  journalLacks?: JsonObject[];
  /** Gates that opened, in order. */
  gates?: ExpectedGate[];
  /** Gates that are open at the end. */
  open?: string[];
  elapsed?: { leastMs: number; mostMs: number };
}

export interface ExpectedStep {
  step: string;
  state?: StepState;
  round?: number;
  try?: number;
  calls?: number;
  error?: FailureCode;
  verdict?: Verdict;
  decision?: { choice?: string; by?: string; comment?: string };
  output?: { value: Json };
  outputHas?: { value: Json };
  /** Parts of the prompts that its agent was given; each must be in one of them. */
  prompt?: string[];
  /** Parts of the commands that it ran. */
  command?: string[];
}

export interface ExpectedGate {
  step: string;
  /** A part of the question. */
  question?: string;
}
