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
    default: 'the step that calls the swarm',
    meaning:
      'Steps that the issue blocks. Those that are held, or have failed in a run that continues, are tried again once the issue is solved.',
    example: '[draft]',
  },
  {
    key: 'agents',
    type: { kind: 'map', names: 'agent', of: { kind: 'text' } },
    required: 'add `agents: {planner: architecture, tester: environment}`',
    takes: 'a mapping of agents to perspectives such as {planner: architecture}',
    meaning: 'The agents that diagnose, each with its perspective. All work at the same time, each alone.',
    example: '{ writer: implementation, editor: environment }',
  },
  {
    key: 'pause',
    type: { kind: 'word', words: ['others', 'nothing'] },
    default: '`others`',
    meaning: 'With `others`, no other step of the run starts meanwhile; steps that are already running finish.',
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
    meaning: 'The command that fails as long as the issue is not solved, or a mapping that also counts its tests.',
    example: 'npm test',
  },
  {
    key: 'rounds',
    type: { kind: 'integer', ...RANGES.voteRounds },
    default: '`2`',
    meaning: 'How many rounds of diagnoses there are at most; each round leaves out what was tried before.',
    example: '2',
  },
  {
    key: 'on_fail',
    type: { kind: 'actions', key: 'on_fail' },
    default: '`escalate(human)`, with all that was found and tried',
    meaning: 'What happens when the last round has not solved the issue.',
    example: 'escalate(human)',
  },
  ...WORKTREE_ROWS,
] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
const VERIFY_ROWS = [
  {
    key: 'run',
    type: { kind: 'template' },
    required: 'add `run:`, a command that fails as long as the issue is not solved',
    meaning: 'A shell command.',
    example: 'npm test',
  },
  {
    key: 'tests',
    type: { kind: 'mapping', name: 'tests' },
    default: 'the command has passed if it succeeds',
    meaning:
      'How the command reports its tests: it has passed if no test fails, and a fix after which other tests fail than before has broken something.',
    example: '{ format: junit, file: results.xml }',
  },
] as const satisfies readonly KeyRow[];

export const SWARM_KIND = {
  types: ['swarm'],
  meaning:
    'All agents diagnose what blocks the run, and the best diagnosis is applied. An action `swarm(id)` calls the step; it then runs nowhere else. `timeout` is how long the step waits for a round of diagnoses, `10m` by default.',
  output: '`{outcome, issue, affected, by, diagnosed_by, root_cause, solution, rounds, tried}`',
  rows: ROWS,
  mappings: {
    verify: { title: '`verify` of a swarm step', such: '{run: npm test}', rows: VERIFY_ROWS },
  },
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
