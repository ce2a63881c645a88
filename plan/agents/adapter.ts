import type { ToolCosts } from '../brief/tool-categories';

/** Ways to run an agent, as `thermidor.yaml` sets them up: data for `worker/`, which makes adapters of them. */

/**
 * `anthropic`: the Messages API; `openai`: chat completions, as many servers speak them; `cli`: a program; `own`: made in code by an
 * application’s workers.
 */
export const ADAPTER_KINDS = ['anthropic', 'openai', 'cli', 'own'] as const;

export type AdapterSpec = EndpointSpec | ProgramSpec | OwnAdapterSpec;

/** A service that speaks one of the two families. Absent fields have the family's own values. */
export interface EndpointSpec {
  kind: 'anthropic' | 'openai';
  /** May be `secret://…`. Absent: `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` of the worker; a service of one's own may need none. */
  key?: string;
  /** Without a slash at the end. */
  baseUrl?: string;
  /** Values may be `secret://…`. */
  headers?: Readonly<Record<string, string>>;
  /** The model for agents that name none. */
  model?: string;
}

/** Whether a header, judged by its name, carries a credential: its value is a secret. */
export function isSecretHeader(name: string): boolean {
  return /auth|key|token|secret|cookie/i.test(name);
}

/** Other parts of an address would be shown wherever the address is, and a "?" would take the path with it. */
export function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The presets of programs (`activities/adapters/cli-agent/`). */
export const CLI_PRESETS = ['claude', 'codex', 'gemini', 'openclaw'] as const;
export type CliPreset = (typeof CLI_PRESETS)[number];

/** An agent's program: a preset, or a custom template. */
export interface ProgramSpec {
  kind: 'cli';
  preset?: CliPreset;
  /** The program and its first arguments, in place of the preset's own. No shell reads it. */
  command?: readonly string[];
  /** Added at the end. */
  args?: readonly string[];
  /** Where the prompt goes. @default 'stdin' */
  prompt?: 'stdin' | 'argument';
  /** How the program's output is read, without a preset. @default 'text' */
  output?: 'text' | 'json';
  /** Variables of the worker's environment that the program sees in addition to the usual ones. */
  passEnv?: readonly string[];
  /** Values may be `secret://…`. */
  env?: Readonly<Record<string, string>>;
  model?: string;
}

/** An adapter that an application registers with its own workers in code: only its name is known here. */
export interface OwnAdapterSpec {
  kind: 'own';
  /** The model is chosen in code. */
  model?: undefined;
}

/** A name for a model by its use, such as `fast` or `deep`. */
export interface ModelAlias {
  model: string;
  /** Wins over the agent's own. */
  adapter?: string;
}

/** A server of tools (Model Context Protocol): a program that speaks on stdin and stdout, or an address (streamable HTTP). */
export type ToolServerSpec =
  | { kind: 'stdio'; command: readonly string[]; env?: Readonly<Record<string, string>>; passEnv?: readonly string[] }
  | { kind: 'http'; url: string; headers?: Readonly<Record<string, string>> };

/** Settings of the tools that leave the step's folder. */
export interface ToolSettings {
  /** Private and local addresses that `fetch_url` may go to, as `host` or `host:port`. @default none */
  fetchPrivate?: readonly string[];
  /** Variables of the worker's environment that programs started by `run` see in addition to the usual ones. */
  runPassEnv?: readonly string[];
  /** Names of tools that an application's own workers have in addition to the built-in ones: agents may list them. @default none */
  own?: readonly string[];
  /** What calls of such tools, and of servers' tools, need a brief's authorisation for. @default `shell_exec` for a tool of one's own */
  costs?: ToolCosts;
}

/** Adapters that need no settings. */
export const BUILT_IN_ADAPTERS: Readonly<Record<string, AdapterSpec>> = {
  anthropic: { kind: 'anthropic' },
  openai: { kind: 'openai' },
  claude: { kind: 'cli', preset: 'claude' },
  codex: { kind: 'cli', preset: 'codex' },
  gemini: { kind: 'cli', preset: 'gemini' },
  openclaw: { kind: 'cli', preset: 'openclaw' },
};
