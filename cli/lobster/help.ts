import { STAGE_CATALOGUE } from '../../activities/stages/catalogue';
import { STAGES } from '../../plan/stages/stage';

/** Help of Lobster's command line, in our words: the syntax is Lobster's, the runs are durable. */
export function helpText(): string {
  return `lobster: Lobster workflows and pipelines, run durably by Thermidor

Usage:
  lobster '<pipeline>'
  lobster run [--mode human|tool] '<pipeline>'
  lobster run path/to/workflow.lobster
  lobster run --file path/to/workflow.lobster --args-json '{...}'
  lobster run --dry-run --file path/to/workflow.lobster
  lobster run --dry-run '<pipeline>'
  lobster graph --file path/to/workflow.lobster --format mermaid|dot|ascii
  lobster resume --token <token> | --id <approval id>  --approve yes|no
  lobster resume --token <token> --response-json '{...}'
  lobster resume --token <token> --cancel
  lobster doctor
  lobster version
  lobster help <command>

Flags:
  --dry-run    Check, and print what would run; nothing is started
  --args-json  Args of the workflow, as one JSON object

Modes:
  human (default): renderers write to standard output, and a person at a terminal is asked
  tool: one JSON document on standard output

Exit codes:
  0 done, or somebody is asked, or somebody said no   1 the run failed   2 usage, or input that cannot be read

Example:
  lobster run --mode tool 'exec --json "echo [1,2]" | approve --prompt "ok?"'

Commands:
  ${STAGES.join(', ')}
`;
}

export function graphHelpText(): string {
  return `lobster graph: the steps of a workflow as a picture

Usage:
  lobster graph --file path/to/workflow.lobster [--format mermaid|dot|ascii] [--args-json '{...}']
  lobster graph path/to/workflow.lobster [--format mermaid|dot|ascii]

Flags:
  --file       Workflow file (.lobster, .yaml, .yml, .json)
  --format     Output format: mermaid (default), dot, ascii
  --args-json  Args that labels are written with, as one JSON object
`;
}

/** Undefined if there is no such stage. */
export function stageHelp(name: string): string | undefined {
  const stage = STAGES.find((known) => known === name || STAGE_CATALOGUE[known].aliases?.includes(name));
  if (stage === undefined) return undefined;
  const { description, words, flags, required } = STAGE_CATALOGUE[stage];
  const optional = (text: string, key: string): string => (required?.includes(key) ? text : `[${text}]`);
  const shown = Object.entries(flags ?? {}).map(([flag, [type]]) => optional(`--${flag}${type === 'boolean' ? '' : ` <${type}>`}`, flag));
  const usage = [name, ...shown, ...(words === undefined ? [] : [optional('words…', '_')])].join(' ');
  const lines = Object.entries(flags ?? {}).map(([flag, [, doc]]) => `  --${flag}: ${doc}`);
  if (words !== undefined) lines.push(`  words: ${words}`);
  return `${[`${name}: ${description}`, '', 'Usage:', `  ${usage}`, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n')}\n`;
}
