import type { ProgramTool } from '../../../plan/agents/tool-names';
import type { ReportedCounts } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import type { FailureCode } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';

/** How to run one kind of agent's program, as data: its command line, and how its output is read. */
export interface ProgramPreset {
  /** Names its sessions in transcripts. */
  name: string;
  /** The program and the words that always come first. `ProgramSpec.command` replaces it. */
  command: readonly string[];
  /** Before everything that depends on the request. */
  flags: readonly string[];
  modelFlag?: string;
  /** The flag for the standing instructions. Absent: they come before the prompt of a new session. */
  systemFlag?: string;
  prompt: 'stdin' | 'argument';
  /** The flag before the prompt if that is an argument, as `--flag=`. Absent: the prompt is the last word. */
  promptFlag?: string;
  /** The last argument that makes the program read its prompt from stdin, if it needs one. */
  stdinMark?: string;
  /** Words that begin a session; `own` is an id that is the same whenever the same request is made. */
  begin?(own: string): readonly string[];
  /** Arguments that resume a session. Absent: it cannot, and gets the whole conversation again. */
  resume?(session: string): readonly string[];
  /** Arguments that resume a copy of a session, and leave it unchanged. Absent: the conversation of other steps is repeated. */
  fork?(session: string): readonly string[];
  /** Its message for an unknown session. Absent: it silently creates one, so only its own machine is asked to continue. */
  unknownSession?: RegExp;
  /** How its tools are limited. */
  authority(granted: Granted): Authority;
  /** Our names of its tools. */
  toolNames: Readonly<Record<string, string>>;
  output: ProgramOutput;
  /** Its total covers the whole session, earlier runs included. Absent: only this run. */
  countsSession?: true;
  /** Exit codes that say why. */
  exitCodes?: Readonly<Record<number, FailureCode>>;
  /** Variables of the worker's environment with its key and its settings. */
  passEnv: readonly string[];
  /** Asks for its version. */
  version: readonly string[];
  /** A command that ends with 0 if somebody is logged in, and with 1 if nobody is. Absent: there is no such command. */
  loginStatus?: readonly string[];
  /** Versions with which this preset was run. An empty list means that it follows the documentation only. */
  tried: readonly string[];
  /** How it is installed. */
  install?: string;
}

/** What the agent may use in this request. */
export type Granted = ReadonlySet<ProgramTool>;

export interface Authority {
  flags: readonly string[];
  /** Its own names of the tools that it may use, including those that reach nothing. */
  uses: readonly string[];
  /** Files written to one folder for this run alone; `{files}` in a flag is that folder. */
  files?: Readonly<Record<string, string>>;
}

export type ProgramOutput =
  /** One JSON value a line; other lines are tolerated. */
  | { kind: 'lines'; events(value: Json): readonly ProgramEvent[] }
  /** One JSON document, which may come after other lines. */
  | { kind: 'document'; events(value: Json): readonly ProgramEvent[] }
  /** The whole output is the reply. */
  | { kind: 'text' };

/** The output of any program, as events. */
export type ProgramEvent =
  | { kind: 'session'; id: string }
  /** `message`: events of the same model reply have the same id, if there is one. `piece`: it continues where the last ended. */
  | { kind: 'said'; text: string; piece?: true; message?: string; model?: string }
  | { kind: 'call'; id: string; tool: string; args: Json; message?: string; model?: string }
  | { kind: 'result'; id: string; text: string; failed?: true }
  /** The last reply is complete, as far as the program reports: its calls are being made. */
  | { kind: 'whole' }
  /** Usage of one model reply; without `message`, of the last one. Counts only grow: of repeated reports the higher one counts. */
  | { kind: 'usage'; message?: string; counts: ReportedCounts }
  /** Totals since the program started, with the usage reported for replies. */
  | { kind: 'total'; usage: Usage }
  /** The program has finished its work. */
  | { kind: 'end'; text?: string }
  /** `fatal`: nothing more follows, whatever its exit code. */
  | { kind: 'trouble'; message: string; fatal?: true; code?: FailureCode; retryAtMs?: number };
