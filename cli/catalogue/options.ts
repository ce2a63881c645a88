import type { ArgumentSpec, OptionSpec } from '../command';

/** Arguments and options that several commands share, so that each is worded once. */
export const JSON_OPTION: OptionSpec = { flags: '--json', doc: 'print one JSON document instead of text' };

export const STATE_DIR_OPTION: OptionSpec = {
  flags: '--state-dir <folder>',
  doc: 'folder of the server database, artifacts and logs',
  completes: 'file',
};

/** Every command that talks to a server. */
export const SERVER_OPTIONS: readonly OptionSpec[] = [
  { flags: '--address <host:port>', doc: 'Temporal server; default: an embedded server' },
  { flags: '--namespace <name>', doc: 'Temporal namespace' },
  { flags: '--task-queue <name>', doc: 'Temporal task queue' },
  STATE_DIR_OPTION,
];

export const BY_OPTION: OptionSpec = { flags: '--by <who>', doc: 'who decides; default: you', completes: 'person' };
export const COMMENT_OPTION: OptionSpec = { flags: '--comment <text>', doc: 'recorded with the decision' };
export const REASON_OPTION: OptionSpec = { flags: '--reason <text>', doc: 'recorded in the journal' };
export const TOKEN_OPTION: OptionSpec = {
  flags: '--token <secret>',
  doc: 'proves who you are: secret://env/NAME, or the token itself; default: THERMIDOR_TOKEN',
};
export const SHOWN_OPTION: OptionSpec = {
  flags: '--shown <digest>',
  doc: 'digest of what you saw: if the gate shows anything else, the answer is refused',
};
export const DETACH_OPTION: OptionSpec = { flags: '--detach', doc: 'return at once instead of working on the run' };

export const WORKER_OPTION: OptionSpec = { flags: '--worker', doc: 'run a worker here, if a server of your own has none' };

export const RUN_ARGUMENT: ArgumentSpec = {
  form: '<run>',
  doc: 'a run’s id, its beginning or last 6 characters, a part of a scheduled run’s time, or a pipeline’s name for its newest run',
  completes: 'run',
};
export const NEWEST_RUN_ARGUMENT: ArgumentSpec = { ...RUN_ARGUMENT, form: '[run]', doc: `${RUN_ARGUMENT.doc}; default: the newest run` };
export const OPEN_RUN_ARGUMENT: ArgumentSpec = { ...RUN_ARGUMENT, completes: 'open-run' };
export const GATED_RUN_ARGUMENT: ArgumentSpec = { ...RUN_ARGUMENT, completes: 'gated-run' };
export const GATE_ARGUMENT: ArgumentSpec = {
  form: '[step]',
  doc: 'the gate’s step; optional if only one gate is open',
  completes: 'gate',
};
export const STEP_ARGUMENT: ArgumentSpec = { form: '<step>', doc: 'a step’s id or address', completes: 'step' };
export const PIPELINE_ARGUMENT: ArgumentSpec = { form: '<pipeline>', doc: 'a pipeline’s file or name', completes: 'pipeline' };

export const EXPANDED_OPTION: OptionSpec = { flags: '--expanded', doc: 'with the steps that a collaboration pattern is made of' };
