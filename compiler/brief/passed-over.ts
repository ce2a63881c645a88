import type { Report } from '../diagnostics/diagnostic';
import type { MappingNode } from '../read/node';

/** Keys of openwar's briefs without a meaning here: a brief that has them runs, and a warning says what to use. */
export const PASSED_OVER = [
  { key: 'inherit_memory', hint: 'write `memory:` into a pipeline with a step of kind `brief`' },
  { key: 'learned_profile', hint: 'post-mortems keep what a run has learned' },
  { key: 'adapter_overrides', hint: 'write `tier:` for the role, or under `cli`' },
] as const;

/** The same of `cli` and of roles: flags are made from what the role may do. */
export const PASSED_OVER_OF_PROGRAMS = ['args', 'framework_prefix', 'mcp_forward', 'skip_permission_setup'] as const;

/** Warns of each of these keys, unless it is switched off anyway. */
export function warnOfPassedOver(node: MappingNode, report: Report): void {
  for (const { key, keyAt, value } of node.entries) {
    const known = PASSED_OVER.find((one) => one.key === key);
    if (known && !(value.kind === 'scalar' && (value.value === false || value.value === null)))
      report('brief.passed-over', keyAt, `"${key}" has no meaning here and is passed over`, known.hint);
  }
}

export function warnOfProgramKeys(node: MappingNode, report: Report): void {
  for (const { key, keyAt } of node.entries) {
    if ((PASSED_OVER_OF_PROGRAMS as readonly string[]).includes(key))
      report('brief.passed-over', keyAt, `"${key}" has no meaning here and is passed over`, HOW_PROGRAMS_START);
  }
}

const HOW_PROGRAMS_START = 'a program gets its flags from what its role may do; more is set up under `adapters` of thermidor.yaml';

/** Words of openwar for costs, by the category that is meant. They authorise nothing here. */
export const FOREIGN_COSTS: ReadonlyMap<string, string> = new Map([
  ['delete', 'filesystem_delete'],
  ['destructive_fs', 'filesystem_delete'],
  ['git_history_rewrite', 'git_write'],
  ['git', 'git_write'],
  ['destructive_git', 'git_write'],
  ['push', 'git_push'],
  ['publish', 'git_push'],
  ['deploy_prod', 'deploy'],
  ['infra', 'deploy'],
  ['messaging', 'external_message'],
  ['comms', 'external_message'],
  ['paid_api', 'paid_api_call'],
  ['api_calls', 'paid_api_call'],
  ['generation_credits', 'paid_api_call'],
  ['tokens', 'paid_api_call'],
  ['all', '*'],
  ['any', '*'],
  ['everything', '*'],
  ['package_change', 'shell_exec'],
  ['deps', 'shell_exec'],
  ['ci_modify', 'filesystem_write'],
  ['process_kill', 'shell_exec'],
]);
