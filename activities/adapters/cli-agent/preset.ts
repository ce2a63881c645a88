import type { ReportedCounts } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import type { FailureCode } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';

/** How to run one kind of agent's program, as data: what is on its command line, and how its output is read. */
export interface ProgramPreset {
  /** Names its sessions in transcripts. */
  name: string;
  /** The program and the words that always come first. `ProgramSpec.command` goes in its place. */
  command: readonly string[];
  /** Before everything that depends on the request. */
  flags: readonly string[];
  modelFlag?: string;
  /** For the standing instructions. Absent: they go before the prompt of a new session. */
  systemFlag?: string;
  prompt: 'stdin' | 'argument';
  /** Before the prompt where it is an argument, as `--flag=`. Absent: it is the last word. */
  promptFlag?: string;
  /** The last argument that makes the program read its prompt from stdin, if it needs one. */
  stdinMark?: string;
  /** Words that begin a session; `own` is an id that is the same whenever the same request is made. */
  begin?(own: string): readonly string[];
  /** Arguments that resume a session. Absent: it cannot, and gets the whole conversation again. */
  resume?(session: string): readonly string[];
  /** Arguments that resume a copy of a session, and leave it unchanged. Absent: the conversation of other steps is repeated. */
  fork?(session: string): readonly string[];
  /** What it says where it does not know a session. Absent: it says nothing and makes one, so only its own machine is asked to continue. */
  unknownSession?: RegExp;
  /** How it is held to what it may use. */
  authority(granted: Granted): Authority;
  /** What we call its tools. */
  toolNames: Readonly<Record<string, string>>;
  output: ProgramOutput;
  /** Its total is that of the whole session, from the runs before this one on. Absent: of this run alone. */
  countsSession?: true;
  /** Exit codes that say why. */
  exitCodes?: Readonly<Record<number, FailureCode>>;
  /** Of the worker's environment, where it finds its key and its settings. */
  passEnv: readonly string[];
  /** Asks for its version. */
  version: readonly string[];
  /** Ends with 0 where somebody is logged in, and with 1 where nobody is. Absent: it has no words that ask. */
  loginStatus?: readonly string[];
  /** Versions that this preset was run with. Of none of them more is known than what its documentation says. */
  tried: readonly string[];
  /** How it is installed. */
  install?: string;
}

/** The tools of ours that a program has something for. */
export const PROGRAM_TOOLS = ['read_file', 'write_file', 'edit_file', 'list_files', 'grep', 'run', 'fetch_url'] as const;
export type ProgramTool = (typeof PROGRAM_TOOLS)[number];

/** What the agent may use in this request. */
export type Granted = ReadonlySet<ProgramTool>;

export interface Authority {
  flags: readonly string[];
  /** Its own names of the tools that it may use, those that reach nothing among them. */
  uses: readonly string[];
  /** Written beside each other for this run alone; `{files}` in a flag is their folder. */
  files?: Readonly<Record<string, string>>;
}

export type ProgramOutput =
  /** A JSON value a line; lines that are none are tolerated. */
  | { kind: 'lines'; events(value: Json): readonly ProgramEvent[] }
  /** One JSON document, which may come after other lines. */
  | { kind: 'document'; events(value: Json): readonly ProgramEvent[] }
  /** All of it is the reply. */
  | { kind: 'text' };

/** What a program says, whichever it is. */
export type ProgramEvent =
  | { kind: 'session'; id: string }
  /**
   * `message`: what belongs to the same reply of the model has the same id, where it has one. `piece`: it continues where the last
   * ended.
   */
  | { kind: 'said'; text: string; piece?: true; message?: string; model?: string }
  | { kind: 'call'; id: string; tool: string; args: Json; message?: string; model?: string }
  | { kind: 'result'; id: string; text: string; failed?: true }
  /** The last reply is complete, as far as the program reports: its calls are being made. */
  | { kind: 'whole' }
  /** Of one reply of the model; without `message`, of the one that was said last. Counts only grow: said again, the higher one counts. */
  | { kind: 'usage'; message?: string; counts: ReportedCounts }
  /** Totals since the program started, with the usage reported for replies. */
  | { kind: 'total'; usage: Usage }
  /** It has done all there was to do. */
  | { kind: 'end'; text?: string }
  /** `fatal`: nothing more comes of it, whatever its exit code. */
  | { kind: 'trouble'; message: string; fatal?: true; code?: FailureCode; retryAtMs?: number };
