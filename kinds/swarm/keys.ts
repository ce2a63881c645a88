import { RANGES } from '../../compiler/language/ranges';
import type { KeyRow, KindRow } from '../../compiler/language/row';
import { WORKTREE_ROWS } from '../../compiler/language/shared-rows';

/** All agents diagnose what blocks the run, and the best diagnosis is applied. */
const ROWS = [
  {
    key: 'issue',
    type: { kind: 'form' },
    default: 'what an action `swarm(id)` passes on',
    meaning: 'What is to be solved. If it is empty, there is nothing to do and the step is skipped.',
    example: '$draft.error',
  },
  {
    key: 'affected',
    type: { kind: 'list', of: { kind: 'step' }, alone: true },
    default: 'the step that calls it',
    meaning:
      'Steps that it blocks. Those of them that are held, or have failed in a run that continues, are tried again once it is solved.',
    example: '[draft]',
  },
  {
    key: 'agents',
    type: { kind: 'map', names: 'agent', of: { kind: 'text' } },
    required: 'add `agents: {planner: architecture, tester: environment}`',
    takes: 'a mapping of agents to perspectives such as {planner: architecture}',
    meaning: 'Who diagnoses, and from which perspective; each at the same time, and alone.',
    example: '{ writer: implementation, editor: environment }',
  },
  {
    key: 'pause',
    type: { kind: 'word', words: ['others', 'nothing'] },
    default: '`others`',
    meaning: 'With `others` no other step of the run starts meanwhile; what is at work ends.',
    example: 'nothing',
  },
  {
    key: 'fixer',
    type: { kind: 'either', of: [{ kind: 'word', words: ['best'] }, { kind: 'agent' }] },
    default: '`best`',
    meaning: 'Who applies a diagnosis: its author (`best`), or one agent.',
    example: 'writer',
  },
  {
    key: 'verify',
    type: { kind: 'either', of: [{ kind: 'template' }, { kind: 'mapping', name: 'verify' }] },
    required: 'add `verify:`, a command that fails as long as the issue is not solved',
    meaning: 'The command that fails as long as it is not solved, or a mapping that has its tests counted.',
    example: 'npm test',
  },
  {
    key: 'rounds',
    type: { kind: 'integer', ...RANGES.voteRounds },
    default: '`2`',
    meaning: 'How often all diagnose at most: each round leaves out what was tried.',
    example: '2',
  },
  {
    key: 'on_fail',
    type: { kind: 'actions', key: 'on_fail' },
    default: '`escalate(human)`, with all that was found and tried',
    meaning: 'What happens when the last round has not solved it.',
    example: 'escalate(human)',
  },
  ...WORKTREE_ROWS,
] as const satisfies readonly KeyRow[];

export const SWARM_KIND = {
  types: ['swarm'],
  meaning:
    'All agents diagnose what blocks the run, and the best diagnosis is applied. An action `swarm(id)` calls the step; it then runs nowhere else. `timeout` is how long a round of diagnoses is waited for, `10m` by default.',
  output: '`{outcome, issue, affected, by, diagnosed_by, root_cause, solution, rounds, tried}`',
  rows: ROWS,
  plainBy: ['agents', 'verify'],
  example: `# needs: agents writer, editor, owner_agent
- { id: deploy, run: ./deploy.sh, on_error: swarm(mob) }
- id: mob
  type: swarm
  agents: { writer: implementation, editor: environment, owner_agent: architecture }
  verify: npm test
  timeout: 10m
  on_fail: escalate(human)`,
} as const satisfies KindRow;

/** Mappings within its keys. */
export const VERIFY_ROWS = [
  {
    key: 'run',
    type: { kind: 'template' },
    required: 'add `run:`, a command that fails as long as the issue is not solved',
    meaning: 'A command of the shell.',
    example: 'npm test',
  },
  {
    key: 'tests',
    type: { kind: 'mapping', name: 'tests' },
    default: 'it has passed where it succeeds',
    meaning: 'How its tests report: it has passed if none fails, and a fix that makes others fail than before has broken something.',
    example: '{ format: junit, file: results.xml }',
  },
] as const satisfies readonly KeyRow[];
