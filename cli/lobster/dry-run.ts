import { checkArgs } from '../../plan/args';
import type { Template } from '../../plan/expression';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import { documentOf, type Runnable, stagesOf } from './program';

/** What would run, as Lobster writes it to standard error. Nothing is started. */
export function dryRunText(runnable: Runnable, args: Readonly<Record<string, Json>>): string {
  const { plan } = runnable.compiled;
  if (runnable.kind === 'pipeline-resume') return stagesText(plan);
  const { renderLobsterDryRun } = require('../rendering/lobster-dry-run') as typeof import('../rendering/lobster-dry-run');
  return renderLobsterDryRun({ plan, document: documentOf(runnable), args: checkArgs(plan.args, args, plan.dialect).args });
}

function stagesText(plan: Plan): string {
  const stages = stagesOf(plan);
  const lines = stages.map(({ name, alias, words, flags }, i) => {
    const given = [
      ...words.map(plain),
      ...Object.entries(flags).map(([flag, value]) => `${flag}=${value.length === 0 ? 'true' : plain(value)}`),
    ];
    return `  ${i + 1}. ${alias ?? name}${given.length === 0 ? '' : `  args: ${given.join(', ')}`}`;
  });
  return [`[DRY RUN] Pipeline (${stages.length} stage${stages.length === 1 ? '' : 's'}):`, ...lines, ''].join('\n');
}

/** Words of a program hold no references. */
function plain(template: Template): string {
  return template.map((piece) => (typeof piece === 'string' ? piece : '')).join('');
}
