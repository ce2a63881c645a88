import type { Script, ScriptedReply } from '../../plan/agents/script';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { FailureCode } from '../../plan/run/failure';
import type { RunState } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import type { Verdict } from '../../plan/steps/verdict';
import type { Json, JsonObject } from '../../plan/text/json';
import type { SourceSpan } from '../diagnostics/diagnostic';

/** A `*.test.yaml` as it was read: the stand-ins for the world of a pipeline, and the results its runs are expected to have (docs/testing.md). */
export interface PipelineTest {
  name: string;
  /** Line of its file, from 1. */
  line: number;
  at: SourceSpan;
  args: Record<string, Json>;
  /** Stands in for the agents, and for the people where the test has none of its own. */
  script: Script;
  /** What commands output, by step. */
  commands: Record<string, StandIn[]>;
  /** What a merge queue says of candidates, by the step whose worktree they are from. */
  merges: Record<string, MergeStandIn[]>;
  /** For child pipelines, by the name of the pipeline. */
  children: Record<string, Pick<PipelineTest, 'script' | 'commands' | 'merges'>>;
  people: PersonAction[];
  startMs: number;
  /** Virtual time after which the test stops looking. */
  untilMs?: number;
  expect: Expectation;
}

/** For a command that the test names nothing for. */
export const ANY_STEP = '*';
export const DEFAULT_START_MS = Date.UTC(2026, 0, 5, 7, 30);

/** The output of a command in a test; the first that fits is taken. */
export interface StandIn extends Pick<ScriptedReply, 'round' | 'try' | 'iteration' | 'afterMs'> {
  /** Which command of the step, where it runs several: counts from 1. */
  call?: number;
  does: StandInOutcome;
}
export type StandInOutcome =
  | { kind: 'ends'; stdout: string; stderr: string; exitCode: number }
  /** Never ends: the step's timeout does. */
  | { kind: 'hangs' }
  /** The command itself is run, on this machine. */
  | { kind: 'executes' };

/** What becomes of a candidate in a test; of several the first that fits. */
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

/** What somebody does, and when. */
export interface PersonAction {
  when: PersonActionTime;
  does: PersonActionKind;
  at: SourceSpan;
}
export type PersonActionTime =
  /** After the run started. */
  | { kind: 'at'; ms: number }
  /** After a gate opened; the gate's step in short form, a round may be given. */
  | { kind: 'gate'; gate: string; afterMs: number }
  /** After a step was held. */
  | { kind: 'held'; step: string; afterMs: number };
export type PersonActionKind =
  /** With `proven` it comes by a way that proves who says it. */
  { kind: 'signal'; name: string; payload: JsonObject | Json; proven?: true } | { kind: 'cancel' };

/** Every part is checked; what is absent is not. */
export interface Expectation {
  status?: RunState[];
  /** Part of why the run was rejected. */
  reason?: string;
  error?: { code?: FailureCode; step?: string; message?: string };
  /** The run's output, as a whole. */
  output?: { value: Json };
  /** What the run's output has among other things. */
  outputHas?: { value: Json };
  /** By step id or address. */
  steps?: ExpectedStep[];
  /** Steps in the order in which they started; those of one group in any. */
  order?: string[][];
  /** Requests to an agent, or commands run, by step. */
  calls?: [step: string, calls: number][];
  rounds?: [step: string, rounds: number][];
  /** Codes of a step's failures, those of tries that were followed by another included, in order. */
  errors?: [step: string, codes: FailureCode[]][];
  /** Entries that are in the journal, in this order, each with other things beside. */
  journal?: JsonObject[];
  /** Entries that are not. */
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
  /** Parts of the prompts that its agent was given, each of one of them. */
  prompt?: string[];
  /** Parts of the commands that it ran. */
  command?: string[];
}

export interface ExpectedGate {
  step: string;
  /** A part of it. */
  question?: string;
}
